import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { joinWorkspace, makePerson, makeWorkspace } from '@/lib/testing/factories'
import { renewCompanyDomain } from './company-domain'
import { providerName } from './company-person'
import { removeProvider, setProvider } from './identity-provider'

let domain: string
let workspace: { id: string }
let admin: { kind: 'session'; userId: string; sessionId: string; instanceAdmin: boolean }
let grace: { id: string }

const set = (more: object = {}) =>
  setProvider(admin, workspace.id, { issuer: 'https://idp.example', clientId: 'c', domain, ...more })
const provenAt = (verifiedAt: Date | null) =>
  prisma().workspaceIdentityProvider.update({
    where: { workspaceId: workspace.id },
    data: { verifiedAt, checkedAt: verifiedAt },
  })
const live = async (sid: string) =>
  (await prisma().session.findUniqueOrThrow({ where: { id: sid } })).revokedAt === null
const knownThere = (userId: string) =>
  prisma().identity.create({ data: { provider: providerName(workspace.id), subject: userId, userId } })

beforeEach(async () => {
  domain = `${randomUUID()}.example.test`
  const ada = await makePerson({ email: `ada@${domain}` })
  grace = await makePerson({ email: `grace@${domain}` })
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  await joinWorkspace(workspace, grace, 'MEMBER')
  const sessionId = await startSession({}, ada.id, ['ext'])
  admin = { kind: 'session', userId: ada.id, sessionId, instanceAdmin: false }
  await set()
})

describe('the only way in', () => {
  it('signs nobody out of a domain that is not proven', async () => {
    const session = await startSession({}, grace.id, ['pwd'])
    await set({ onlyDoor: true })
    expect(await live(session)).toBe(true)
  })

  it('signs them out where it is proven, but for who switches it on', async () => {
    await provenAt(new Date())
    const session = await startSession({}, grace.id, ['pwd'])
    await set({ onlyDoor: true })
    expect([await live(session), await live(admin.sessionId)]).toEqual([false, true])
  })
})

describe('sessions that began at the provider end', () => {
  const begun = async () => {
    await provenAt(new Date())
    await knownThere(grace.id)
    await knownThere(admin.userId)
    const [there, here] = await Promise.all([
      startSession({}, grace.id, ['ext']),
      startSession({}, grace.id, ['pwd']),
    ])
    return async () => [await live(there), await live(here), await live(admin.sessionId)]
  }
  const links = () => prisma().identity.count({ where: { provider: providerName(workspace.id) } })

  it.each([
    ['it is removed', () => removeProvider(admin, workspace.id)],
    ['another issuer is set', () => set({ issuer: 'https://other.example' })],
    ['another domain is set', () => set({ domain: `${randomUUID()}.example.test` })],
  ])('when %s, with whom it knew', async (_name, change) => {
    const sessions = await begun()
    await change()
    expect(await sessions()).toEqual([false, true, true])
    expect(await links()).toBe(0)
  })

  it('when the proof of its domain is lost; whom it knew is known again once it is back', async () => {
    const sessions = await begun()
    const where = { workspaceId: workspace.id }
    const failingSince = new Date(Date.now() - 30 * 86_400_000)
    const claim = await prisma().workspaceIdentityProvider.update({ where, data: { failingSince } })
    await renewCompanyDomain(claim)
    expect(await prisma().workspaceIdentityProvider.findUniqueOrThrow({ where })).toMatchObject({
      verifiedAt: null,
    })
    expect(await sessions()).toEqual([false, true, false])
    expect(await links()).toBe(2)
  })

  it('and not when nothing but its client changes', async () => {
    const sessions = await begun()
    await set({ clientId: 'another' })
    expect(await sessions()).toEqual([true, true, true])
    expect(await links()).toBe(2)
  })
})
