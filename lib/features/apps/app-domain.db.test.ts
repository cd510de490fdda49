import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { startDnsServer } from '@/lib/testing/dns-server'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { startOutsideServer } from '@/lib/testing/tls-server'
import {
  claimDomain,
  domainsOf,
  proofOf,
  readProof,
  removeDomain,
  renewDomains,
  verifyDomain,
} from './app-domain'
import { createApp } from './create-app'
import { updateApp } from './update-app'

const session = ({ id }: { id: string }) =>
  ({ kind: 'session', userId: id, sessionId: 's', instanceAdmin: false }) as const

const records = new Map<string, string[]>()
let dns: Awaited<ReturnType<typeof startDnsServer>>
let ada: { id: string }
let workspace: { id: string }
let appId: string

beforeAll(async () => {
  dns = await startDnsServer(records)
})
afterAll(() => {
  dns.close()
})
beforeEach(async () => {
  records.clear()
  ada = await makeUser()
  workspace = await makeWorkspace([[ada, 'ADMIN']])
  const { app } = await createApp(session(ada), {
    workspaceId: workspace.id,
    name: 'Printer',
    type: 'WEB',
    redirectUris: 'https://app.printer.example/cb\nhttp://localhost:3000/cb',
    homepageUrl: 'https://printer.example/about',
  })
  appId = app.id
})

const now = async () => (await domainsOf([appId]))[0] ?? undefined
/** Publishes the DNS record that proves ownership of the domain. */
async function publish() {
  const claim = await now()
  if (!claim) throw new Error('nothing is claimed')
  const { record, text } = proofOf(claim)
  records.set(record, ['v=spf1 -all', text])
}
async function prove(domain = 'printer.example') {
  await claimDomain(session(ada), appId, { domain })
  await publish()
  await verifyDomain(session(ada), appId)
}
const actions = async () =>
  (
    await prisma().auditEvent.findMany({
      where: { resourceId: appId, action: { startsWith: 'oauth_app.domain' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ action }) => action)

describe('the domain of an app', () => {
  it('is verified by a DNS record that is valid for only one app', async () => {
    await claimDomain(session(ada), appId, { domain: ' Printer.Example ' })
    await verifyDomain(session(ada), appId)
    expect(await now()).toMatchObject({
      verifiedAt: null,
      problem: expect.stringContaining('There is no TXT record at _latchkey.printer.example.'),
    })
    records.set('_latchkey.printer.example', ['latchkey-app=another-app'])
    await verifyDomain(session(ada), appId)
    expect((await now())?.verifiedAt).toBeNull()
    await publish()
    await verifyDomain(session(ada), appId)
    expect(await now()).toMatchObject({ verifiedAt: expect.any(Date), problem: null })
    expect(await actions()).toEqual(['oauth_app.domain_set', 'oauth_app.domain_verified'])
  })

  it.each(['printer.example', 'app.printer.example'])(
    'can be %s, which contains one of the app’s URLs',
    async (domain) => {
      await prove(domain)
      expect((await now())?.verifiedAt).not.toBeNull()
    },
  )

  it.each(['other.example', 'nter.example', 'example', 'localhost', '127.0.0.1', 'a b.example', ''])(
    'cannot be “%s”',
    async (domain) => {
      await expect(claimDomain(session(ada), appId, { domain })).rejects.toMatchObject({
        details: { field: 'domain' },
      })
    },
  )

  it('is removed when the app no longer has a URL in the domain, but not before', async () => {
    await prove('app.printer.example')
    await updateApp(session(ada), appId, { homepageUrl: '' })
    expect(await now()).toBeDefined()
    await updateApp(session(ada), appId, { redirectUris: 'https://elsewhere.example/cb' })
    expect(await now()).toBeUndefined()
    expect(await actions()).toEqual([
      'oauth_app.domain_set',
      'oauth_app.domain_verified',
      'oauth_app.domain_removed',
    ])
  })

  it('can be removed, and requires a new proof when claimed again', async () => {
    await prove()
    const before = await now()
    await claimDomain(session(ada), appId, { domain: 'printer.example' })
    expect(await now()).toMatchObject({ verifiedAt: null })
    expect((await now())?.token).not.toBe(before?.token)
    await verifyDomain(session(ada), appId)
    expect((await now())?.verifiedAt).toBeNull()
    await removeDomain(session(ada), appId)
    expect(await now()).toBeUndefined()
    await expect(verifyDomain(session(ada), appId)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('can be managed only by admins', async () => {
    const member = await makeUser()
    await joinWorkspace(workspace, member, 'MEMBER')
    for (const [who, code] of [
      [member, 'FORBIDDEN'],
      [await makeUser(), 'NOT_FOUND'],
    ] as const) {
      const refused = { code }
      await expect(claimDomain(session(who), appId, { domain: 'printer.example' })).rejects.toMatchObject(
        refused,
      )
      await expect(verifyDomain(session(who), appId)).rejects.toMatchObject(refused)
      await expect(removeDomain(session(who), appId)).rejects.toMatchObject(refused)
    }
  })
})

describe('the verification of a domain', () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  const set = (data: object) => prisma().appDomain.update({ where: { clientId: appId }, data })
  const notifications = async () =>
    (await prisma().notification.findMany({ where: { userId: ada.id }, orderBy: { id: 'asc' } })).map(
      ({ title }) => title,
    )

  it('is repeated once a day', async () => {
    await prove()
    records.clear()
    await renewDomains()
    expect((await now())?.failingSince).toBeNull()
    await set({ checkedAt: ago(2) })
    await publish()
    await renewDomains()
    expect(await now()).toMatchObject({ failingSince: null, verifiedAt: expect.any(Date) })
    expect((await now())?.checkedAt?.getTime()).toBeGreaterThan(ago(1).getTime())
  })

  it('lasts for a week after the proof disappears, and admins are notified at the start and the end of that week', async () => {
    await prove()
    records.clear()
    await set({ checkedAt: ago(2) })
    await renewDomains()
    expect(await now()).toMatchObject({ failingSince: expect.any(Date), verifiedAt: expect.any(Date) })
    await set({ checkedAt: ago(2), failingSince: ago(6) })
    await renewDomains()
    expect((await now())?.verifiedAt).not.toBeNull()
    await set({ checkedAt: ago(2), failingSince: ago(8) })
    await renewDomains()
    expect((await now())?.verifiedAt).toBeNull()
    expect(await actions()).toEqual([
      'oauth_app.domain_set',
      'oauth_app.domain_verified',
      'oauth_app.domain_failing',
      'oauth_app.domain_lost',
    ])
    expect(await notifications()).toEqual([
      'We couldn’t verify the domain printer.example for Printer',
      'The domain printer.example of Printer is no longer verified',
    ])
  })

  it('continues without interruption if the proof reappears within a week', async () => {
    await prove()
    await set({ checkedAt: ago(2), failingSince: ago(6) })
    await renewDomains()
    expect(await now()).toMatchObject({ failingSince: null, verifiedAt: expect.any(Date) })
    expect(await actions()).toEqual(['oauth_app.domain_set', 'oauth_app.domain_verified'])
  })

  it('accepts a file with the proof on a separate line, but rejects redirects and error responses', async () => {
    const outside = await startOutsideServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/proof' }).end()
      else if (request.url === '/none') response.writeHead(404).end('latchkey-app=abc')
      else response.end('one line\r\nlatchkey-app=abc\r\n')
    })
    try {
      expect(await readProof(`${outside.origin}/proof`, 'latchkey-app=abc')).toBe(true)
      expect(await readProof(`${outside.origin}/proof`, 'latchkey-app=ab')).toBe(false)
      await expect(readProof(`${outside.origin}/moved`, 'latchkey-app=abc')).rejects.toThrow('returned 302')
      await expect(readProof(`${outside.origin}/none`, 'latchkey-app=abc')).rejects.toThrow('returned 404')
    } finally {
      await outside.close()
    }
  })
})

describe('the file that proves ownership of a domain', () => {
  it('must contain the proof as a complete line near its start, and its response must have status 200', async () => {
    const text = 'latchkey-app=abc'
    const outside = await startOutsideServer((request, response) => {
      const answers: Record<string, () => unknown> = {
        '/plain': () => response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
        '/mark': () => response.end(`\uFEFF${text}\n`),
        '/html': () => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${text}</p>`),
        '/json': () => response.end(JSON.stringify([text])),
        '/inside': () => response.end(`x ${text}`),
        '/null': () => response.end(`${text}\0`),
        '/carriage-return': () => response.end(`x\r${text}`),
        '/utf-16': () => response.end(Buffer.from(text, 'utf16le')),
        '/late': () => response.end(`${'x'.repeat(4_096)}\n${text}\n`),
        '/endless': () => {
          const more = (): unknown => !response.destroyed && response.write('x'.repeat(65_536), more)
          more()
        },
        '/compressed': () => response.writeHead(200, { 'content-encoding': 'gzip' }).end(text),
        '/partial': () => response.writeHead(206).end(text),
        '/moved': () => response.writeHead(301, { location: '/plain' }).end(text),
        '/kept': () => response.writeHead(308, { location: '/plain' }).end(text),
        '/refreshed': () => response.writeHead(200, { refresh: '0; url=/plain' }).end(),
        '/not-found': () => response.writeHead(404).end(text),
        '/error': () => response.writeHead(500).end(text),
        '/cut': () => {
          response.writeHead(200, { 'content-length': '1000' })
          response.write(`${text}\n`, () => response.destroy())
        },
      }
      answers[request.url ?? '']?.()
    })
    try {
      const outcomes: Record<string, boolean | string> = {}
      const paths = 'plain mark html json inside null carriage-return utf-16 late endless partial moved kept'
      for (const path of `${paths} refreshed not-found error cut compressed`.split(' ')) {
        outcomes[path] = await readProof(`${outside.origin}/${path}`, text).catch(() => 'refused')
      }
      expect(outcomes).toEqual({
        plain: true,
        mark: true,
        html: false,
        json: false,
        inside: false,
        null: false,
        'carriage-return': false,
        'utf-16': false,
        late: false,
        endless: false,
        partial: 'refused',
        moved: 'refused',
        kept: 'refused',
        refreshed: false,
        'not-found': 'refused',
        error: 'refused',
        cut: 'refused',
        // The response is not decompressed, because the request did not offer compression.
        compressed: true,
      })
    } finally {
      await outside.close()
    }
  })
})
