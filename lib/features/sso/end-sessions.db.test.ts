import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { beginSecondStep, findPendingSignIn } from '@/lib/features/identity/two-factor/pending-sign-in'
import { deleteWorkspace } from '@/lib/features/workspaces/delete-workspace'
import { providerName } from '@/lib/policy/required-sso'
import { joinWorkspace, makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { removeProvider, setProvider } from './identity-provider'
import { renewSsoDomain } from './sso-domain'

const hour = 3_600_000
let domain: string
let workspace: { id: string }
let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let grace: { id: string }

const issuer = 'https://idp.example'
const sso = () => ({ ssoWorkspaceId: workspace.id, ssoIssuer: issuer })
const set = (more: object = {}) =>
  setProvider(admin, workspace.id, { issuer, clientId: 'c', domain, ...more })
const provenAt = (verifiedAt: Date | null) =>
  prisma().workspaceIdentityProvider.update({
    where: { workspaceId: workspace.id },
    data: { verifiedAt, checkedAt: verifiedAt },
  })
const live = async (sid: string) =>
  (await prisma().session.findUniqueOrThrow({ where: { id: sid } })).revokedAt === null
/** Returns whether requests can use the session. */
const counts = async (sid: string) => (await findLiveSession(sid)) !== undefined
const knownThere = (userId: string) =>
  prisma().identity.create({ data: { provider: providerName(workspace.id), subject: userId, userId } })

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  const ada = await makeUser({ email: `ada@${domain}` })
  grace = await makeUser({ email: `grace@${domain}` })
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  await joinWorkspace(workspace, grace, 'MEMBER')
  const sessionId = await startSession({}, ada.id, ['ext'], { sso: sso() })
  admin = { kind: 'session', userId: ada.id, sessionId, instanceAdmin: false }
  await set()
})

describe('required SSO', () => {
  it('ends no sessions of users in a domain that is not verified', async () => {
    const session = await startSession({}, grace.id, ['pwd'])
    await set({ requiresSso: true })
    expect(await live(session)).toBe(true)
  })

  it('ends the sessions of users in a verified domain, except the session of the admin who turns it on', async () => {
    await provenAt(new Date())
    const session = await startSession({}, grace.id, ['pwd'])
    await set({ requiresSso: true })
    expect([await live(session), await live(admin.sessionId)]).toEqual([false, true])
  })

  it('ends no sessions of instance admins, and no sessions at all when the same settings are saved again', async () => {
    await provenAt(new Date())
    const instanceAdmin = await makeUser({ email: `op@${domain}`, instanceAdmin: true })
    await joinWorkspace(workspace, instanceAdmin, 'MEMBER')
    const theirs = await startSession({}, instanceAdmin.id, ['pwd'])
    await set({ requiresSso: true })
    const later = await startSession({}, grace.id, ['ext'], { sso: sso() })
    await set({ requiresSso: true })
    expect([await live(theirs), await live(later)]).toEqual([true, true])
  })
})

describe('sessions from an SSO connection', () => {
  const begin = async () => {
    await provenAt(new Date())
    await knownThere(grace.id)
    await knownThere(admin.userId)
    const eve = await makeUser({ email: `eve@${domain}` })
    const [there, unnamed, here, elsewhere] = await Promise.all([
      startSession({}, grace.id, ['ext'], { sso: sso() }),
      // This session began through a provider of the instance.
      startSession({}, grace.id, ['ext', 'otp', 'mfa']),
      startSession({}, grace.id, ['pwd']),
      startSession({}, eve.id, ['ext']),
    ])
    return { there, all: [there, unnamed, here, elsewhere, admin.sessionId] }
  }
  const count = (sessions: string[]) => Promise.all(sessions.map(counts))
  const links = () => prisma().identity.count({ where: { provider: providerName(workspace.id) } })

  it.each([
    ['the connection is removed', () => removeProvider(admin, workspace.id)],
    ['another issuer is set', () => set({ issuer: 'https://other.example' })],
    ['another domain is set', () => set({ domain: `${randomUUID()}.example.test` })],
  ])(
    'end when %s, except the acting admin’s session, and the links to users are removed',
    async (_name, change) => {
      const { all } = await begin()
      expect(await count(all)).toEqual([true, true, true, true, true])
      await change()
      expect(await count(all)).toEqual([false, true, true, true, true])
      expect(await links()).toBe(0)
    },
  )

  it('end within an hour if their user is an admin who changes the connection', async () => {
    await begin()
    const [id, began] = [admin.sessionId, Date.now()]
    const ends = async () =>
      (await prisma().session.findUniqueOrThrow({ where: { id } })).expiresAt.getTime() - began
    expect(await ends()).toBeGreaterThan(2 * hour)
    await set({ issuer: 'https://other.example' })
    await set()
    expect(await ends()).toBeLessThan(2 * hour)
    const soon = new Date(began + 60_000)
    await prisma().session.update({ where: { id }, data: { ...sso(), expiresAt: soon } })
    await removeProvider(admin, workspace.id)
    expect(await ends()).toBe(60_000)
    expect(await counts(id)).toBe(true)
  })

  it('end when the domain verification is lost, but the links to users are kept', async () => {
    const { all } = await begin()
    const where = { workspaceId: workspace.id }
    const failingSince = new Date(Date.now() - 30 * 86_400_000)
    const claim = await prisma().workspaceIdentityProvider.update({ where, data: { failingSince } })
    await renewSsoDomain(claim)
    expect(await prisma().workspaceIdentityProvider.findUniqueOrThrow({ where })).toMatchObject({
      verifiedAt: null,
    })
    expect(await count(all)).toEqual([false, true, true, true, false])
    expect(await links()).toBe(2)
  })

  it('continue if only the client ID changes', async () => {
    const { all } = await begin()
    await set({ clientId: 'another' })
    expect(await count(all)).toEqual([true, true, true, true, true])
    expect(await links()).toBe(2)
  })

  const grown = (data: object) => prisma().user.update({ where: { id: grace.id }, data })
  it.each([
    ['their user becomes an instance admin', () => grown({ instanceAdmin: true })],
    ['their user’s email address leaves the domain', () => grown({ email: `grace@not-${domain}` })],
    ['the domain is no longer verified', () => provenAt(null)],
    [
      'the provider is replaced',
      () =>
        prisma().workspaceIdentityProvider.update({
          where: { workspaceId: workspace.id },
          data: { issuer: 'https://other.example' },
        }),
    ],
    ['the workspace is deleted', () => deleteWorkspace(admin, workspace.id)],
  ])('end permanently on the next request after %s', async (_name, change) => {
    const { there } = await begin()
    expect(await counts(there)).toBe(true)
    await change()
    expect(await counts(there)).toBe(false)
    await grown({ instanceAdmin: false, email: `grace@${domain}` })
    expect(await live(there)).toBe(false)
  })

  it('cannot be created from a second step that was pending when the connection was removed', async () => {
    await provenAt(new Date())
    await prisma().totpSecret.create({
      data: { userId: grace.id, sealed: new Uint8Array(), confirmedAt: new Date() },
    })
    const token = await beginSecondStep(grace.id, ['ext'], { sso: sso() })
    expect(await findPendingSignIn(token)).toMatchObject(sso())
    await knownThere(grace.id)
    const elsewhere = await beginSecondStep(grace.id, ['ext'])
    const byPassword = await beginSecondStep(grace.id, ['pwd'])
    await removeProvider(admin, workspace.id)
    expect(await findPendingSignIn(token)).toBeUndefined()
    for (const other of [elsewhere, byPassword]) expect(await findPendingSignIn(other)).toBeDefined()
  })
})

it('replacing a workspace’s provider removes the users of SSO-managed apps only in that workspace', async () => {
  const { client } = await makeClient(undefined)
  const another = await makeWorkspace([[grace, 'ADMIN']])
  for (const workspaceId of [workspace.id, another.id]) {
    const uses = { create: { userId: grace.id, lastUsedAt: new Date() } }
    await prisma().managedApp.create({ data: { workspaceId, clientId: client.id, scopes: [], uses } })
  }
  const used = async () =>
    (await prisma().managedUse.findMany({ where: { userId: grace.id }, include: { managedApp: true } }))
      .map(({ managedApp }) => managedApp.workspaceId)
      .sort()
  await set({ clientId: 'another' })
  expect(await used()).toEqual([workspace.id, another.id].sort())
  await set({ issuer: 'https://other.example' })
  expect(await used()).toEqual([another.id])
})

it('deleting a workspace removes only the identities from its own provider', async () => {
  await knownThere(grace.id)
  await prisma().identity.create({ data: { provider: 'github', subject: grace.id, userId: grace.id } })
  await deleteWorkspace(admin, workspace.id)
  const left = await prisma().identity.findMany({ where: { userId: grace.id } })
  expect(left.map(({ provider }) => provider)).toEqual(['github'])
})
