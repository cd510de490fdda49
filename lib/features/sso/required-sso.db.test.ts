import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashCredential, mintCredential } from '@/lib/base/credentials/tokens'
import { prisma } from '@/lib/base/db/prisma'
import { confirmEmail, readEmailState } from '@/lib/features/identity/email/confirm-email'
import { removeIdentity } from '@/lib/features/identity/identities'
import { findLiveSession } from '@/lib/features/identity/sessions/find-live-session'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { beginSecondStep } from '@/lib/features/identity/two-factor/pending-sign-in'
import { changeEmail } from '@/lib/features/identity/users/change-email'
import { acceptInvitation } from '@/lib/features/workspaces/accept-invitation'
import { createInvitation } from '@/lib/features/workspaces/create-invitation'
import { leaveWorkspace } from '@/lib/features/workspaces/remove-member'
import { callerFromBearer } from '@/lib/policy/bearer'
import { providerName } from '@/lib/policy/required-sso'
import { makeAccessToken } from '@/lib/testing/access-token'
import {
  joinWorkspace,
  makeApiToken,
  makeProject,
  makeUser,
  makeWorkspace,
  testPassword,
} from '@/lib/testing/factories'
import { setProvider } from './identity-provider'
import { signInWithSso } from './sign-in-with-sso'

/** These tests try to bypass SSO in a workspace that requires it for users in its verified domain. */
const issuer = 'https://idp.example'
let domain: string
let workspace: { id: string }
let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let grace: { id: string; email: string }

const set = (more: object = {}) =>
  setProvider(admin, workspace.id, { issuer, clientId: 'c', domain, requiresSso: true, ...more })
const change = (data: object) =>
  prisma().workspaceIdentityProvider.update({ where: { workspaceId: workspace.id }, data })
const bySso = (sub = 'grace', email = grace.email) =>
  signInWithSso({ workspaceId: workspace.id, issuer }, { sub, email, name: undefined, avatarUrl: undefined })
const sessionOf = async (userId: string) => {
  const { sso } = await bySso()
  const sessionId = await startSession({}, userId, ['ext'], { sso })
  return { kind: 'session' as const, userId, sessionId, instanceAdmin: false }
}
const forbidden = { code: 'FORBIDDEN' }
const withheld = { code: 'UNAUTHENTICATED', message: expect.stringContaining('requires single sign-on') }

beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  domain = `${randomUUID()}.example.test`
  const ada = await makeUser({ email: `ada@${domain}` })
  grace = await makeUser({ email: `grace@${domain}` })
  workspace = await makeWorkspace([
    [ada, 'ADMIN'],
    [grace, 'MEMBER'],
  ])
  const sessionId = await startSession({}, ada.id, ['pwd'])
  admin = { kind: 'session', userId: ada.id, sessionId, instanceAdmin: false }
  await set({ requiresSso: false })
  await change({ verifiedAt: new Date(), checkedAt: new Date() })
})
afterEach(async () => {
  await prisma().workspaceIdentityProvider.deleteMany({ where: { workspaceId: workspace.id } })
})

/** Returns the token from the link that was emailed to an address. */
async function linkTo(email: string) {
  const token = mintCredential('emailToken')
  await prisma().emailToken.create({
    data: {
      hash: Uint8Array.from(hashCredential(token)),
      purpose: 'VERIFY_EMAIL',
      userId: grace.id,
      email,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
  return token
}

describe('the email address of a user who must use SSO', () => {
  it('cannot be changed to another domain, and the form shows the required domain in advance', async () => {
    await set()
    const actor = await sessionOf(grace.id)
    expect((await readEmailState(actor)).required).toMatchObject({ workspaceId: workspace.id, domain })
    const refused = changeEmail(actor, { email: 'grace@elsewhere.example', password: testPassword })
    await expect(refused).rejects.toMatchObject({
      ...forbidden,
      details: { field: 'email', fields: { email: expect.stringContaining('requires single sign-on') } },
    })
    expect(await prisma().emailToken.count({ where: { userId: grace.id } })).toBe(0)
  })

  it('can be changed within the domain, and to another domain after the user leaves the workspace', async () => {
    await set()
    const actor = await sessionOf(grace.id)
    const input = (email: string) => ({ email, password: testPassword })
    await expect(changeEmail(actor, input(`g.hopper@${domain}`))).resolves.toBeDefined()
    await leaveWorkspace(actor, workspace.id)
    expect((await readEmailState(actor)).required).toBeUndefined()
    await expect(changeEmail(actor, input(`${randomUUID()}@elsewhere.example`))).resolves.toBeDefined()
  })

  it('is not changed by a link that was sent before SSO was required, unless the user is removed from the workspace', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    const link = await linkTo(email)
    await set()
    const actor = await sessionOf(grace.id)
    await expect(confirmEmail(actor, link)).rejects.toMatchObject(forbidden)
    await prisma().workspaceMember.deleteMany({ where: { userId: grace.id } })
    expect(await confirmEmail(actor, link)).toEqual({ email })
  })

  it('cannot be changed to another domain even if the user has a role only in a project', async () => {
    await prisma().workspaceMember.deleteMany({ where: { userId: grace.id } })
    await makeProject(workspace, [[grace, 'VIEWER']])
    const link = await linkTo(`${randomUUID()}@elsewhere.example`)
    const before = await startSession({}, grace.id, ['pwd'])
    await set()
    expect(await findLiveSession(before)).toBeUndefined()
    await expect(startSession({}, grace.id, ['pwd'])).rejects.toMatchObject(forbidden)
    await expect(confirmEmail(await sessionOf(grace.id), link)).rejects.toMatchObject(forbidden)
  })
})

describe('required SSO', () => {
  const methods: [string, SignInMethod[]][] = [
    ['a password', ['pwd']],
    ['a password and a code', ['pwd', 'otp', 'mfa']],
    ['an existing passkey', ['hwk', 'mfa']],
    ['a provider of the instance', ['ext']],
  ]
  it.each(methods)('prevents a sign-in with %s', async (_title, proven) => {
    await set()
    await expect(startSession({}, grace.id, proven)).rejects.toMatchObject(forbidden)
  })

  it('prevents sign-ins through another workspace’s SSO connection, and second steps that began before SSO was required', async () => {
    const other = { ssoWorkspaceId: (await makeWorkspace([[grace, 'ADMIN']])).id, ssoIssuer: issuer }
    await prisma().totpSecret.create({
      data: { userId: grace.id, sealed: new Uint8Array(), confirmedAt: new Date() },
    })
    await beginSecondStep(grace.id, ['pwd'])
    await set()
    expect(await prisma().pendingSignIn.count({ where: { userId: grace.id } })).toBe(0)
    await expect(startSession({}, grace.id, ['ext'], { sso: other })).rejects.toMatchObject(forbidden)
  })

  it.each([
    ['joins the workspace', () => joinWorkspace(workspace, grace, 'MEMBER')],
    ['gets a role in a project', () => makeProject(workspace, [[grace, 'VIEWER']])],
  ])('ends a non-SSO session when it is next used after the user %s', async (_title, join) => {
    await prisma().workspaceMember.deleteMany({ where: { userId: grace.id } })
    await set()
    const session = await startSession({}, grace.id, ['pwd'])
    expect(await findLiveSession(session)).toBeDefined()
    await join()
    expect(await findLiveSession(session)).toBeUndefined()
  })

  it('ends the non-SSO sessions of a user who is no longer an instance admin', async () => {
    await prisma().user.update({ where: { id: grace.id }, data: { instanceAdmin: true } })
    await set()
    const session = await startSession({}, grace.id, ['pwd'])
    expect(await findLiveSession(session)).toBeDefined()
    await prisma().user.update({ where: { id: grace.id }, data: { instanceAdmin: false } })
    expect(await findLiveSession(session)).toBeUndefined()
  })

  it('keeps the admin who turns it on signed in for an hour, even if the admin also changes the issuer', async () => {
    await set()
    expect(await findLiveSession(admin.sessionId)).toBeDefined()
    await set({ issuer: 'https://other.example' })
    expect(await findLiveSession(admin.sessionId)).toBeDefined()
    const { expiresAt } = await prisma().session.findUniqueOrThrow({ where: { id: admin.sessionId } })
    expect(expiresAt.getTime()).toBeLessThan(Date.now() + 3_700_000)
  })

  it('stays in effect for non-admins if the domain verification lapses, until another workspace verifies the domain', async () => {
    await set()
    await change({ verifiedAt: null, failingSince: new Date() })
    await expect(startSession({}, grace.id, ['pwd'])).rejects.toMatchObject(forbidden)
    await expect(startSession({}, admin.userId, ['pwd'])).resolves.toBeDefined()
    const { id } = await makeWorkspace()
    const taken = { issuer, clientId: 'c', domain, token: randomUUID(), verifiedAt: new Date() }
    await prisma().workspaceIdentityProvider.create({ data: { workspaceId: id, ...taken } })
    await expect(startSession({}, grace.id, ['pwd'])).resolves.toBeDefined()
  })

  it('prevents users from disconnecting the provider', async () => {
    await set()
    const actor = await sessionOf(grace.id)
    const named = { provider: providerName(workspace.id), subject: 'grace', password: testPassword }
    await expect(removeIdentity(actor, named)).rejects.toMatchObject({ code: 'CONFLICT' })
    await set({ requiresSso: false })
    await expect(removeIdentity(actor, named)).resolves.toBeUndefined()
  })
})

describe('an invitation to an email address that must use SSO', () => {
  it('cannot be accepted by an account in another domain', async () => {
    await set()
    const email = `new@${domain}`
    const { link } = await createInvitation(admin, { workspaceId: workspace.id, email, role: 'MEMBER' })
    const token = String(link?.split('/').at(-1))
    const as = async (user: { id: string }) => ({
      kind: 'session' as const,
      userId: user.id,
      sessionId: randomUUID(),
      instanceAdmin: false,
    })
    const privately = await makeUser({ email: `${randomUUID()}@private.example` })
    await expect(acceptInvitation(await as(privately), token)).rejects.toMatchObject(forbidden)
    await expect(acceptInvitation(await as(await makeUser({ email })), token)).resolves.toBeDefined()
  })
})

describe('the tokens of a user whose workspace requires SSO', () => {
  /** Creates one token of each kind before SSO is required. */
  async function tokensOf(user: { id: string }) {
    const project = await makeProject(workspace)
    const others = await makeWorkspace([[user, 'ADMIN']])
    return Promise.all([
      makeApiToken(user).then(({ token }) => token),
      makeApiToken(user, { workspace }).then(({ token }) => token),
      makeApiToken(user, { project }).then(({ token }) => token),
      makeApiToken(user, { workspace: others }).then(({ token }) => token),
      makeAccessToken(user, ['openid', 'workspace:admin'], { workspaces: [workspace] }).then(
        ({ token }) => token,
      ),
    ])
  }
  const works = async (tokens: string[]) =>
    Promise.all(
      tokens.map((token) =>
        callerFromBearer(token).then(
          (caller) => caller !== undefined,
          (error) => {
            expect(error).toMatchObject(withheld)
            return false
          },
        ),
      ),
    )
  const all = Array(5).fill(true)
  const none = Array(5).fill(false)

  it('work only from the time the provider confirms the user until that confirmation expires', async () => {
    const tokens = await tokensOf(grace)
    expect(await works(tokens)).toEqual(all)
    await set()
    expect(await works(tokens)).toEqual(none)
    await bySso()
    expect(await works(tokens)).toEqual(all)
    const past = { confirmedUntil: new Date(Date.now() - 1000) }
    await prisma().identity.updateMany({ where: { userId: grace.id }, data: past })
    expect(await works(tokens)).toEqual(none)
    await set({ requiresSso: false })
    expect(await works(tokens)).toEqual(all)
  })

  it('stop working when the connection is replaced, even if the user is linked to another workspace’s provider', async () => {
    const tokens = await tokensOf(grace)
    await set()
    await bySso()
    await set({ issuer: 'https://other.example' })
    expect(await works(tokens)).toEqual(none)
    const elsewhere = { provider: providerName(randomUUID()), subject: 'grace', userId: grace.id }
    await prisma().identity.create({ data: elsewhere })
    expect(await works(tokens)).toEqual(none)
  })

  it('keep working if the user is an instance admin or has an email address in another domain', async () => {
    const guest = await makeUser()
    const instanceAdmin = await makeUser({ email: `root@${domain}`, instanceAdmin: true })
    for (const user of [guest, instanceAdmin]) await joinWorkspace(workspace, user, 'MEMBER')
    await set()
    for (const user of [guest, instanceAdmin]) expect(await works(await tokensOf(user))).toEqual(all)
  })

  it('stop working if the domain verification lapses', async () => {
    const tokens = await tokensOf(grace)
    await set()
    await change({ verifiedAt: null, failingSince: new Date() })
    expect(await works(tokens)).toEqual(none)
  })
})
