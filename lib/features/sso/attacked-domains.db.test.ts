import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { acceptTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { requestTransfer } from '@/lib/features/app-transfers/request-transfer'
import {
  claimDomain,
  proofOf,
  removeDomain,
  renewDomains,
  verifyDomain,
} from '@/lib/features/apps/app-domain'
import { createApp } from '@/lib/features/apps/create-app'
import { updateApp } from '@/lib/features/apps/update-app'
import { outcomeOf, raceForLock } from '@/lib/testing/concurrency'
import { startDnsServer } from '@/lib/testing/dns-server'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startProviders } from '@/lib/testing/sso-world'
import { removeProvider, setProvider } from './identity-provider'
import { renewSsoDomains, ssoDomainProof, verifySsoDomain } from './sso-domain'

/** These tests try to keep, take over, or fake the verification of an app's or a workspace's domain. */
const session = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: false }) as const

const records = new Map<string, string[]>()
let addresses: (name: string) => string[] | null = () => []
let dns: Awaited<ReturnType<typeof startDnsServer>>
let admin: ReturnType<typeof session>
let workspace: { id: string }
let appId: string

beforeAll(async () => {
  dns = await startDnsServer(records, (name) => addresses(name))
})
afterAll(() => {
  dns.close()
})
beforeEach(async () => {
  records.clear()
  addresses = () => []
  await prisma().rateLimit.deleteMany()
  await prisma().workspaceIdentityProvider.deleteMany()
  const ada = await makeUser()
  admin = session(ada)
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  const { app } = await createApp(admin, {
    workspaceId: workspace.id,
    name: 'Printer',
    type: 'WEB',
    redirectUris: 'https://app.printer.example/cb',
    homepageUrl: 'https://printer.example/about',
  })
  appId = app.id
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 1000)
const ofApp = (clientId = appId) => prisma().appDomain.findUnique({ where: { clientId } })
const put = (proof: { record: string; text: string }) => records.set(proof.record, [proof.text])

async function proveApp(domain = 'printer.example') {
  await claimDomain(admin, appId, { domain })
  put(proofOf((await ofApp()) as { domain: string; token: string }))
  await verifyDomain(admin, appId)
  expect((await ofApp())?.verifiedAt).not.toBeNull()
}

/**
 * Runs a change during a DNS lookup. The first query gets no response, so the resolver retries after the
 * change.
 */
async function duringLook(change: () => Promise<unknown>, look: () => Promise<unknown>): Promise<void> {
  let changing: Promise<unknown> | undefined
  let done = false
  addresses = () => {
    changing ??= change().finally(() => {
      done = true
    })
    return done ? [] : null
  }
  await outcomeOf(look())
  await changing
  addresses = () => []
}

describe('an app’s domain', () => {
  it('loses its verification a week after its record is removed, and manual checks do not extend this period', async () => {
    await proveApp()
    records.clear()
    const age = (data: object) => prisma().appDomain.update({ where: { clientId: appId }, data })
    await verifyDomain(admin, appId)
    expect(await ofApp()).toMatchObject({ verifiedAt: expect.any(Date), failingSince: expect.any(Date) })
    const since = (await ofApp())?.failingSince
    await verifyDomain(admin, appId)
    expect((await ofApp())?.failingSince).toEqual(since)
    await age({ failingSince: daysAgo(7) })
    await renewDomains()
    // The last check was less than a day ago, so the daily check skips the domain. The manual check must end
    // the verification.
    await verifyDomain(admin, appId)
    expect(await ofApp()).toMatchObject({ verifiedAt: null })
    const events = await prisma().auditEvent.findMany({
      where: { resourceId: appId, action: { in: ['oauth_app.domain_failing', 'oauth_app.domain_lost'] } },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action }) => action)).toEqual(['oauth_app.domain_failing', 'oauth_app.domain_lost'])
  })

  it('is removed when the app moves to another workspace', async () => {
    await proveApp()
    const buyer = await makeUser()
    const to = await makeWorkspace([[buyer, 'ADMIN']])
    await requestTransfer(admin, appId, { workspace: to.id })
    await acceptTransfer(session(buyer), appId)
    expect(await ofApp()).toBeNull()
    // The former owner's record still exists, but it does not verify the domain for the new owner.
    await claimDomain(session(buyer), appId, { domain: 'printer.example' })
    await verifyDomain(session(buyer), appId)
    expect((await ofApp())?.verifiedAt).toBeNull()
    for (const act of [
      () => verifyDomain(admin, appId),
      () => removeDomain(admin, appId),
      () => claimDomain(admin, appId, { domain: 'printer.example' }),
    ]) {
      expect(await outcomeOf(act())).toBe('NOT_FOUND')
    }
  })

  it('cannot be claimed if the app’s URLs change to another domain at the same time', async () => {
    const hold = 'SELECT id FROM oauth_clients WHERE id = $1 FOR UPDATE'
    const [moved, claimed] = await raceForLock(
      hold,
      appId,
      () => updateApp(admin, appId, { homepageUrl: '', redirectUris: 'https://elsewhere.example/cb' }),
      () => claimDomain(admin, appId, { domain: 'printer.example' }),
    )
    expect([moved, claimed]).toEqual(['ok', 'BAD_USER_INPUT'])
    expect(await ofApp()).toBeNull()
  })

  it('is not verified by a check that started before the domain was removed or claimed again, or before the admin was demoted', async () => {
    for (const change of [
      () => removeDomain(admin, appId),
      () => claimDomain(admin, appId, { domain: 'app.printer.example' }),
      () => joinWorkspace(workspace, { id: admin.userId }, 'VIEWER'),
    ]) {
      await claimDomain(admin, appId, { domain: 'printer.example' })
      put(proofOf((await ofApp()) as { domain: string; token: string }))
      await duringLook(change, () => verifyDomain(admin, appId))
      const after = await ofApp()
      expect(after?.verifiedAt ?? null).toBeNull()
    }
  }, 30_000)

  it.each([
    'printer.example.',
    '.printer.example',
    'printer..example',
    '*.printer.example',
    '_latchkey.printer.example',
    'printer.example:443',
    'https://printer.example',
    'printer.example/about',
    'printer.example#x',
    'me@printer.example',
    'printer.example\0',
    'printer.example\nother.example',
    'prınter.example',
    'ｐｒｉｎｔｅｒ.example',
    'printer。example',
    'printer.ex%61mple',
    'rinter.example',
    'printer.example.evil.example',
    'app.printer.example.',
    'example',
    '-printer.example',
    '0x7f.1',
  ])('cannot be claimed if it is %j', async (domain) => {
    expect(await outcomeOf(claimDomain(admin, appId, { domain }))).toBe('BAD_USER_INPUT')
  })

  it.each([
    ['http://printer.example/', 'printer.example'],
    ['https://printer.example.evil.example/', 'printer.example'],
    ['https://evil.example/https://printer.example/', 'printer.example'],
    ['https://evil.example/?printer.example', 'printer.example'],
    ['https://evilprinter.example/', 'printer.example'],
    ['https://printer.example./', 'printer.example'],
  ])('cannot be printer.example if the app’s website is %s', async (homepageUrl, domain) => {
    await updateApp(admin, appId, { redirectUris: 'https://elsewhere.example/cb', homepageUrl: '' })
    await outcomeOf(updateApp(admin, appId, { homepageUrl }))
    expect(await outcomeOf(claimDomain(admin, appId, { domain }))).toBe('BAD_USER_INPUT')
  })

  it('is verified only by its exact record, not by an altered text or a record at another name', async () => {
    await claimDomain(admin, appId, { domain: 'app.printer.example' })
    const claim = (await ofApp()) as { domain: string; token: string }
    const { text, record } = proofOf(claim)
    const wrong: [string, string[]][] = [
      ['_latchkey.printer.example', [text]],
      ['_latchkey.app.app.printer.example', [text]],
      ['app.printer.example', [text]],
      [record, [text.toUpperCase()]],
      [record, [`${text}x`]],
      [record, [text.slice(0, -1)]],
      [record, [`${text} v=spf1`]],
      [record, [text.replace('latchkey-app', 'latchkey-workspace')]],
      [record, ['latchkey-app=', '']],
      [record, Array.from({ length: 20 }, () => 'v=spf1 -all')],
      [record, ['latchkey-app=*']],
    ]
    for (const [name, texts] of wrong) {
      records.clear()
      records.set(name, texts)
      await verifyDomain(admin, appId)
      expect([name, texts[0], (await ofApp())?.verifiedAt]).toEqual([name, texts[0], null])
    }
    records.set(record, [text])
    await verifyDomain(admin, appId)
    expect((await ofApp())?.verifiedAt).not.toBeNull()
  })

  it('is not verified through a proof file at a non-public IP address, even if DNS responses change', async () => {
    await claimDomain(admin, appId, { domain: 'printer.example' })
    let turn = 0
    const answers: ((name: string) => string[])[] = [
      () => ['127.0.0.1'],
      () => ['10.0.0.1'],
      () => ['172.16.0.1'],
      () => ['192.168.1.1'],
      () => ['169.254.169.254'],
      () => ['100.64.0.1'],
      () => ['0.0.0.0'],
      () => ['224.0.0.1'],
      () => ['255.255.255.255'],
      () => ['::1'],
      () => ['::'],
      () => ['::ffff:127.0.0.1'],
      () => ['64:ff9b::7f00:1'],
      () => ['2002:7f00:1::1'],
      () => ['fd00::1'],
      () => ['fe80::1'],
      () => ['8.8.8.8', '127.0.0.1'],
      () => ['127.0.0.1', '2606:4700::1111'],
      // DNS rebinding: the first query returns a public address, and later ones return a loopback address.
      () => (turn++ === 0 ? ['8.8.8.8'] : ['127.0.0.1']),
    ]
    for (const answer of answers) {
      addresses = answer
      await verifyDomain(admin, appId)
      const { problem, verifiedAt } = (await ofApp()) as { problem: string; verifiedAt: Date | null }
      expect([answer('printer.example'), verifiedAt]).toEqual([answer('printer.example'), null])
      expect(problem).toContain('This address is not on the public internet.')
    }
  }, 30_000)
})

describe('the domain of a workspace', () => {
  let providers: Awaited<ReturnType<typeof startProviders>>
  let issuer: string
  beforeAll(async () => {
    providers = await startProviders()
    issuer = (await providers.make()).issuer
  })
  afterAll(() => providers.close())

  const input = (more: object = {}) => ({ issuer, clientId: 'latchkey', domain: 'example.test', ...more })
  const of = (workspaceId = workspace.id) =>
    prisma().workspaceIdentityProvider.findUniqueOrThrow({ where: { workspaceId } })
  const age = (data: object) =>
    prisma().workspaceIdentityProvider.update({ where: { workspaceId: workspace.id }, data })
  async function prove() {
    await setProvider(admin, workspace.id, input())
    put(ssoDomainProof(await of()))
    await verifySsoDomain(admin, workspace.id)
    expect((await of()).verifiedAt).not.toBeNull()
  }
  async function stranger() {
    const user = await makeUser()
    const { id } = await makeWorkspace([[user, 'ADMIN']])
    await setProvider(session(user), id, input())
    return { id, actor: session(user) }
  }

  it('loses its verification a week after its record is removed, and another workspace can then verify it', async () => {
    await prove()
    const other = await stranger()
    records.clear()
    put(ssoDomainProof(await of(other.id)))
    // The new owner of the domain cannot verify it during the former owner's grace period.
    expect(await outcomeOf(verifySsoDomain(other.actor, other.id))).toBe('CONFLICT')
    await verifySsoDomain(admin, workspace.id)
    expect(await of()).toMatchObject({ verifiedAt: expect.any(Date), failingSince: expect.any(Date) })
    await setProvider(admin, workspace.id, input({ clientId: 'renamed' }))
    await age({ failingSince: daysAgo(7) })
    await renewSsoDomains()
    await verifySsoDomain(admin, workspace.id)
    expect((await of()).verifiedAt).toBeNull()
    expect(await outcomeOf(verifySsoDomain(other.actor, other.id))).toBe('ok')
    expect((await of(other.id)).verifiedAt).not.toBeNull()
  })

  it('is verified for only one of two workspaces that prove it concurrently', async () => {
    await setProvider(admin, workspace.id, input())
    const other = await stranger()
    const [one, two] = [ssoDomainProof(await of()), ssoDomainProof(await of(other.id))]
    records.set(one.record, [one.text, two.text])
    const outcomes = await Promise.all([
      outcomeOf(verifySsoDomain(admin, workspace.id)),
      outcomeOf(verifySsoDomain(other.actor, other.id)),
    ])
    expect(outcomes.sort()).toEqual(['CONFLICT', 'ok'])
    expect(await prisma().workspaceIdentityProvider.count({ where: { verifiedAt: { not: null } } })).toBe(1)
  })

  it('requires a new record after it is removed or replaced, and is not verified by another workspace’s record', async () => {
    await prove()
    const former = ssoDomainProof(await of())
    await removeProvider(admin, workspace.id)
    await setProvider(admin, workspace.id, input())
    await verifySsoDomain(admin, workspace.id)
    expect((await of()).verifiedAt).toBeNull()
    await setProvider(admin, workspace.id, input({ domain: 'other.test' }))
    await setProvider(admin, workspace.id, input())
    await verifySsoDomain(admin, workspace.id)
    expect((await of()).verifiedAt).toBeNull()
    const other = await stranger()
    await verifySsoDomain(other.actor, other.id)
    expect((await of(other.id)).verifiedAt).toBeNull()
    expect(records.get(former.record)).toEqual([former.text])
  })

  it('is not verified by an altered text or a record at another name', async () => {
    await setProvider(admin, workspace.id, input({ domain: 'sub.example.test' }))
    const { text, record } = ssoDomainProof(await of())
    const wrong: [string, string[]][] = [
      ['_latchkey.example.test', [text]],
      ['sub.example.test', [text]],
      [record, [text.replace('workspace', 'app')]],
      [record, [text.toUpperCase()]],
      [record, [text.slice(0, -1)]],
      [record, [`${text}=`]],
      [record, ['latchkey-workspace=*']],
    ]
    for (const [name, texts] of wrong) {
      records.clear()
      records.set(name, texts)
      await verifySsoDomain(admin, workspace.id)
      expect([name, texts, (await of()).verifiedAt]).toEqual([name, texts, null])
    }
  })

  it.each([
    'example.test.',
    '*.example.test',
    'test',
    'exämple.test',
    'example。test',
    '@example.test',
    'a@example.test',
    'example.test, other.test',
    'example.test\0',
    '127.0.0.1',
    '[::1]',
    'EXAMPLE.TEST\u212A',
  ])('cannot be %j', async (domain) => {
    expect(await outcomeOf(setProvider(admin, workspace.id, input({ domain })))).toBe('BAD_USER_INPUT')
  })

  it('is not verified by an admin who is demoted during the DNS lookup', async () => {
    await setProvider(admin, workspace.id, input())
    put(ssoDomainProof(await of()))
    await duringLook(
      () => joinWorkspace(workspace, { id: admin.userId }, 'VIEWER'),
      () => verifySsoDomain(admin, workspace.id),
    )
    expect((await of()).verifiedAt).toBeNull()
  })
})
