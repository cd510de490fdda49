import { lookup } from 'node:dns/promises'
import type { RequestListener } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { startDnsServer } from '@/lib/testing/dns-server'
import { startOutsideServer, startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { allowOutboundForTests } from './check-url'
import { guardedFetch, guardedWebFetch } from './guarded-fetch'

const servers: TlsServer[] = []
const nameServers: { close: () => void }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  resetConfig()
  for (const nameServer of nameServers.splice(0)) nameServer.close()
  for (const server of servers.splice(0)) await server.close()
})

const outside = async (listener: RequestListener) => {
  const server = await startOutsideServer(listener)
  servers.push(server)
  return server
}

/**
 * Makes the test use its own name server.
 * @param addresses returns a name's addresses, or null if the server must not respond
 */
const setNameServer = async (addresses: (name: string) => string[] | null) => {
  const nameServer = await startDnsServer(new Map(), addresses)
  nameServers.push(nameServer)
}

it('guardedFetch sends the method, headers, and body, and returns the response even if it has an error status', async () => {
  const server = await outside(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.writeHead(418, { 'content-type': 'text/plain' })
    response.end(`${request.method} ${request.headers['x-name']} ${Buffer.concat(chunks)}`)
  })
  const answer = await guardedFetch(`${server.origin}/hook`, {
    method: 'POST',
    headers: { 'x-name': 'value' },
    body: '{"a":1}',
  })
  expect(answer.status).toBe(418)
  expect(answer.body.toString()).toBe('POST value {"a":1}')
})

it('guardedFetch rejects loopback addresses, even if their port is allowed', async () => {
  let asked = 0
  const server = await startTlsServer((_, response) => {
    asked++
    response.end()
  })
  servers.push(server)
  await expect(guardedFetch(server.origin)).rejects.toMatchObject({ reason: 'url' })
  const closeGuard = allowOutboundForTests({ networks: [], ports: [server.port], ca: server.ca })
  await expect(guardedFetch(server.origin)).rejects.toMatchObject({ reason: 'address' })
  await expect(guardedFetch(`https://127.0.0.1:${server.port}`)).rejects.toMatchObject({ reason: 'address' })
  await expect(guardedWebFetch(server.origin)).rejects.toMatchObject({ reason: 'address' })
  closeGuard()
  expect(asked).toBe(0)
})

it.each([[['127.0.0.1']], [['169.254.169.254']], [['::ffff:127.0.0.1']], [['1.1.1.1', '10.0.0.1']]])(
  'guardedFetch rejects a host name that resolves to %j',
  async (addresses) => {
    await setNameServer(() => addresses)
    await expect(guardedFetch('https://innocent.example/')).rejects.toMatchObject({ reason: 'address' })
    const refused = await guardedWebFetch('https://innocent.example/').catch((error: Error) => error)
    expect((refused as Error).cause).toMatchObject({ reason: 'address' })
  },
)

it('guardedFetch resolves a host name even if the name servers of many other hosts do not respond', async () => {
  await setNameServer((name) => (name.startsWith('silent') ? null : ['10.0.0.1']))
  let settled = 0
  const silent = Array.from({ length: 40 }, (_, index) =>
    guardedFetch(`https://silent-${index}.example.org/`).catch((error) => {
      settled++
      return error
    }),
  )
  await expect(guardedFetch('https://prompt.example.org/')).rejects.toMatchObject({ reason: 'address' })
  await lookup('localhost')
  expect(settled).toBe(0)
  for (const refused of await Promise.all(silent)) {
    expect(refused.reason).toMatch(/^(network|timeout)$/)
  }
})

it('allowOutboundForTests works only in tests', () => {
  for (const mode of ['production', 'development', '']) {
    vi.stubEnv('NODE_ENV', mode)
    expect(() => allowOutboundForTests({ networks: ['0.0.0.0/0'], ports: [] })).toThrow('can be opened only')
  }
})

it('guardedFetch rejects an untrusted certificate', async () => {
  const server = await outside((_, response) => response.end())
  const closeGuard = allowOutboundForTests({ networks: ['127.0.0.0/8'], ports: [server.port] })
  await expect(guardedFetch(server.origin)).rejects.toMatchObject({ reason: 'network' })
  closeGuard()
})

it('guardedFetch follows redirects only if they are allowed, and checks the URL of each redirect', async () => {
  const server = await outside((request, response) => {
    const targets: Record<string, string> = {
      '/once': '/end',
      '/loop': '/loop',
      '/plain': 'http://example.com/',
      '/inside': 'https://10.0.0.1/',
      '/port': 'https://localhost:1/',
    }
    const target = targets[request.url ?? '']
    response.writeHead(target ? 302 : 200, target ? { location: target } : {})
    response.end(request.method)
  })
  const at = (path: string, maxRedirects?: number) => guardedFetch(server.origin + path, { maxRedirects })
  expect((await at('/once')).status).toBe(302)
  expect(await at('/once', 1)).toMatchObject({ status: 200, url: `${server.origin}/end` })
  await expect(at('/loop', 3)).rejects.toMatchObject({ reason: 'redirect' })
  await expect(at('/plain', 3)).rejects.toMatchObject({ reason: 'url' })
  await expect(at('/inside', 3)).rejects.toMatchObject({ reason: 'address' })
  await expect(at('/port', 3)).rejects.toMatchObject({ reason: 'url' })
  const posted = await guardedFetch(`${server.origin}/once`, { method: 'POST', maxRedirects: 3 })
  expect(posted.status).toBe(302)
})

it('guardedWebFetch checks redirects that a library follows', async () => {
  const server = await outside((request, response) => {
    response.writeHead(302, {
      location: request.url === '/plain' ? 'http://127.0.0.1:20009/' : 'https://10.0.0.1/',
    })
    response.end()
  })
  for (const path of ['/plain', '/inside']) {
    const refused = await guardedWebFetch(server.origin + path, { redirect: 'follow' }).catch(
      (error: Error) => error,
    )
    expect((refused as Error).cause).toMatchObject({ name: 'OutboundError' })
  }
  await expect(guardedWebFetch(server.origin)).rejects.toThrow(TypeError)
})

it('guardedFetch limits the size, duration, and type of the response', async () => {
  const server = await outside((request, response) => {
    if (request.url === '/silent') return
    response.writeHead(200, { 'content-type': 'application/problem+json; charset=utf-8' })
    if (request.url === '/endless') {
      const timer = setInterval(() => response.write('x'.repeat(1024)), 1)
      response.on('close', () => clearInterval(timer))
    } else response.end('{}')
  })
  const at = (path: string, options: Parameters<typeof guardedFetch>[1]) =>
    guardedFetch(server.origin + path, options)
  await expect(at('/silent', { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timeout' })
  await expect(at('/endless', { timeoutMs: 300, maxBytes: 2 ** 30 })).rejects.toMatchObject({
    reason: 'timeout',
  })
  await expect(at('/endless', { maxBytes: 4096 })).rejects.toMatchObject({ reason: 'too-large' })
  expect((await at('/endless', { maxBytes: 4096, truncate: true })).body).toHaveLength(4096)
  await expect(at('/', { accept: ['application/json'] })).rejects.toMatchObject({ reason: 'content-type' })
  expect((await at('/', { accept: ['application/json', '*+json'] })).body.toString()).toBe('{}')
})

it('guardedWebFetch accepts Headers and returns a Response, like fetch', async () => {
  const server = await outside((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ accept: request.headers.accept }))
  })
  const answer = await guardedWebFetch(server.origin, {
    headers: new Headers({ accept: 'application/json' }),
  })
  expect(await answer.json()).toEqual({ accept: 'application/json' })
})
