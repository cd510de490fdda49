import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { graceDays } from '@/lib/features/apps/app-domain'
import { startDnsServer } from '@/lib/testing/dns-server'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startProviders } from '@/lib/testing/sso-world'
import { readProvider, removeProvider, setProvider } from './identity-provider'
import { allowManagedApp, listManagedApps } from './managed-apps'
import { renewSsoDomains, ssoDomainProof, verifySsoDomain } from './sso-domain'

const session = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: false }) as const

const records = new Map<string, string[]>()
let dns: Awaited<ReturnType<typeof startDnsServer>>
let providers: Awaited<ReturnType<typeof startProviders>>
let issuer: string
let admin: ReturnType<typeof session>
let workspace: { id: string }

beforeAll(async () => {
  dns = await startDnsServer(records)
  providers = await startProviders()
})
afterAll(async () => {
  dns.close()
  await providers.close()
})
beforeEach(async () => {
  records.clear()
  await prisma().rateLimit.deleteMany()
  await prisma().workspaceIdentityProvider.deleteMany()
  const ada = await makeUser()
  admin = session(ada)
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  issuer = (await providers.make()).issuer
})

const input = (more: object = {}) => ({ issuer, clientId: 'latchkey', domain: 'example.test', ...more })
const now = () =>
  prisma().workspaceIdentityProvider.findUniqueOrThrow({ where: { workspaceId: workspace.id } })
async function publish() {
  const { record, text } = ssoDomainProof(await now())
  records.set(record, ['v=spf1 -all', text])
}
async function prove() {
  await setProvider(admin, workspace.id, input())
  await publish()
  await verifySsoDomain(admin, workspace.id)
}
const actions = async () =>
  (
    await prisma().auditEvent.findMany({
      where: { workspaceId: workspace.id, action: { startsWith: 'workspace.' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ action }) => action)
const page = { limit: 10, backward: false, after: null, before: null }

describe('the identity provider of a workspace', () => {
  it('becomes active when a DNS record verifies its domain', async () => {
    expect(await readProvider(admin, workspace.id)).toBeNull()
    await setProvider(admin, workspace.id, input({ domain: ' Example.Test ', clientSecret: 'secret' }))
    await verifySsoDomain(admin, workspace.id)
    expect(await readProvider(admin, workspace.id)).toMatchObject({
      domain: 'example.test',
      hasSecret: true,
      verifiedAt: null,
      problem: 'There is no TXT record at _latchkey.example.test.',
    })
    records.set('_latchkey.example.test', ['latchkey-workspace=another'])
    await verifySsoDomain(admin, workspace.id)
    expect((await now()).problem).toBe('No TXT record at _latchkey.example.test contains the expected text.')
    await publish()
    await verifySsoDomain(admin, workspace.id)
    expect(await now()).toMatchObject({ verifiedAt: expect.any(Date), problem: null })
    expect(await actions()).toEqual(['workspace.identity_provider_set', 'workspace.domain_verified'])
  })

  it('has an encrypted secret that is never returned and is deleted when the issuer changes', async () => {
    await setProvider(admin, workspace.id, input({ clientSecret: 'secret' }))
    await setProvider(admin, workspace.id, input({ clientId: 'renamed' }))
    const { sealedSecret } = await now()
    expect(unseal(sealedSecret as Uint8Array, 'identity-provider')).toBe('secret')
    expect(JSON.stringify(await readProvider(admin, workspace.id))).not.toContain('ealed')
    await setProvider(admin, workspace.id, input({ issuer: 'https://new.example.test' }))
    expect((await now()).sealedSecret).toBeNull()
  })

  it('must be verified again after its domain changes, and loses its user links when its issuer changes or it is removed', async () => {
    await prove()
    const { token } = await now()
    const provider = `workspace:${workspace.id}`
    const link = { provider, subject: '1', userId: admin.userId }
    await prisma().identity.create({ data: link })
    await setProvider(admin, workspace.id, input({ clientId: 'renamed' }))
    expect(await now()).toMatchObject({ token, verifiedAt: expect.any(Date) })
    expect(await prisma().identity.count({ where: { provider } })).toBe(1)
    await setProvider(
      admin,
      workspace.id,
      input({ issuer: 'https://new.example.test', domain: 'other.test' }),
    )
    expect(await now()).toMatchObject({ verifiedAt: null, checkedAt: null })
    expect((await now()).token).not.toBe(token)
    expect(await prisma().identity.count({ where: { provider } })).toBe(0)
    await prisma().identity.create({ data: link })
    await removeProvider(admin, workspace.id)
    expect(await prisma().identity.count({ where: { provider } })).toBe(0)
    await expect(removeProvider(admin, workspace.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(verifySsoDomain(admin, workspace.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is verified only if its metadata is available, and adopts the issuer from the metadata', async () => {
    await setProvider(admin, workspace.id, input({ issuer: `${issuer}/` }))
    await publish()
    await verifySsoDomain(admin, workspace.id)
    expect(await now()).toMatchObject({ issuer, verifiedAt: expect.any(Date) })
    await setProvider(admin, workspace.id, input({ issuer: `${issuer}-gone`, domain: 'new.example.test' }))
    await publish()
    await verifySsoDomain(admin, workspace.id)
    expect(await now()).toMatchObject({
      verifiedAt: null,
      problem: 'The provider’s metadata could not be read. The provider responded with 404.',
    })
  })

  it.each([
    ['http://login.example.test', 'issuer'],
    ['https://login.example.test/?a=b', 'issuer'],
    ['https://login.example.test/#a', 'issuer'],
    ['https://user@login.example.test', 'issuer'],
    ['https://:secret@login.example.test', 'issuer'],
    ['login.example.test', 'issuer'],
  ])('cannot have the issuer %s', async (wrong, field) => {
    const set = setProvider(admin, workspace.id, input({ issuer: wrong }))
    await expect(set).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { field } })
  })

  it('requires a public domain and a client ID, and cannot be this instance', async () => {
    const { BASE_URL } = config()
    for (const [wrong, field] of [
      [{ domain: 'localhost' }, 'domain'],
      [{ domain: '10.0.0.1' }, 'domain'],
      [{ clientId: ' ' }, 'clientId'],
      [{ issuer: `${BASE_URL.replace('http:', 'https:')}/oauth` }, 'issuer'],
    ] as const) {
      const set = setProvider(admin, workspace.id, input(wrong))
      await expect(set, field).rejects.toMatchObject({ code: 'BAD_USER_INPUT', details: { field } })
    }
  })

  it('cannot be verified for a domain that another workspace has already verified', async () => {
    await prove()
    const eve = await makeUser()
    const other = await makeWorkspace([[eve, 'ADMIN']])
    await setProvider(session(eve), other.id, input())
    const theirs = await prisma().workspaceIdentityProvider.findUniqueOrThrow({
      where: { workspaceId: other.id },
    })
    records.get('_latchkey.example.test')?.push(ssoDomainProof(theirs).text)
    await expect(verifySsoDomain(session(eve), other.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readProvider(session(eve), other.id)).toMatchObject({ verifiedAt: null })
  })

  it('can be managed only by admins, not by members or apps', async () => {
    const member = await makeUser()
    await joinWorkspace(workspace, member, 'MEMBER')
    const app = {
      kind: 'oauth',
      userId: admin.userId,
      clientId: 'app',
      authorizationId: 'z',
      scopes: new Set(['workspace:admin']),
      workspaceIds: [workspace.id],
      projectIds: [],
    } as const
    for (const actor of [session(member), app]) {
      await expect(setProvider(actor, workspace.id, input())).rejects.toMatchObject({ code: 'FORBIDDEN' })
      await expect(readProvider(actor, workspace.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      await expect(listManagedApps(actor, workspace.id, page)).rejects.toMatchObject({ code: 'FORBIDDEN' })
      const letIn = allowManagedApp(actor, workspace.id, { clientId: 'a', scopes: ['workspace:viewer'] })
      await expect(letIn).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })
})

it('a workspace token can be used to read the provider, but not to set or remove it', async () => {
  await prove()
  const token = {
    kind: 'workspace-token',
    userId: admin.userId,
    tokenId: randomUUID(),
    workspaceId: workspace.id,
    role: 'ADMIN',
  } as const
  const taken = setProvider(token, workspace.id, input({ issuer: 'https://evil.example.test' }))
  await expect(taken).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(removeProvider(token, workspace.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await readProvider(token, workspace.id)).toMatchObject({ issuer, verifiedAt: expect.any(Date) })
})

describe('a verified domain', () => {
  it('stays verified for a grace period after its record is removed, and can be verified again when the record returns', async () => {
    await prove()
    records.clear()
    const where = { workspaceId: workspace.id }
    const set = (data: object) => prisma().workspaceIdentityProvider.update({ where, data })
    const dayAgo = () => new Date(Date.now() - 86_400_001)
    await renewSsoDomains()
    expect((await now()).failingSince).toBeNull()
    await set({ checkedAt: dayAgo() })
    await renewSsoDomains()
    expect(await now()).toMatchObject({ verifiedAt: expect.any(Date), failingSince: expect.any(Date) })
    await set({ checkedAt: dayAgo(), failingSince: new Date(Date.now() - graceDays * 86_400_000) })
    await renewSsoDomains()
    expect((await now()).verifiedAt).toBeNull()
    await publish()
    await verifySsoDomain(admin, workspace.id)
    expect(await now()).toMatchObject({ verifiedAt: expect.any(Date), failingSince: null })
    expect((await actions()).slice(2)).toEqual([
      'workspace.domain_failing',
      'workspace.domain_lost',
      'workspace.domain_verified',
    ])
    const notices = await prisma().notification.findMany({
      where: { userId: admin.userId },
      orderBy: { id: 'asc' },
    })
    expect(notices.map(({ resource }) => resource)).toEqual(
      [0, 1].map(() => ({ type: 'sso_domain', id: workspace.id })),
    )
  })
})
