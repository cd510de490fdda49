import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { addressFromHeaders } from '@/lib/base/http/client-address'
import { requestId } from '@/lib/base/log/request-scope'
import { watchRequests } from './prepare-next-start'

it('watchRequests overwrites the peer IP address that a client sends', async () => {
  watchRequests()
  const server = createServer((req, res) => {
    const headers = new Headers(req.headers as Record<string, string>)
    res.end(addressFromHeaders(headers))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'x-forwarded-for': '198.51.100.1', 'x-latchkey-peer': '198.51.100.2' }
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
  expect(await answer.text()).toBe('127.0.0.1')
  server.close()
})

it('watchRequests ignores the peer IP address that a client sends on a Unix domain socket', async () => {
  watchRequests()
  const server = createServer((req, res) => res.end(String(req.headers['x-latchkey-peer'])))
  const socketPath = path.join(os.tmpdir(), `latchkey-${process.pid}.sock`)
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  const answer = await new Promise<string>((resolve, reject) => {
    request({ socketPath, headers: { 'x-latchkey-peer': '198.51.100.2' } }, async (res) => {
      let text = ''
      for await (const piece of res) text += piece
      resolve(`${typeof res.headers['x-request-id']} ${text}`)
    })
      .on('error', reject)
      .end()
  })
  expect(answer).toBe('string ')
  server.close()
})

it('watchRequests assigns an ID to every request on a connection and uses it for the response and for the work that the request starts', async () => {
  watchRequests()
  const server = createServer(async (_req, res) => {
    await new Promise((resolve) => setImmediate(resolve))
    res.end(requestId())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names: string[] = []
  for (let times = 0; times < 3; times++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    names.push(await answer.text())
    expect(answer.headers.get('x-request-id')).toBe(names.at(-1))
  }
  expect(new Set(names).size).toBe(3)
  server.close()
})

it('watchRequests adds a Strict-Transport-Security header to responses if BASE_URL is https', async () => {
  vi.stubEnv('BASE_URL', 'https://login.example.com')
  resetConfig()
  watchRequests()
  const server = createServer((_req, res) => res.end('a file'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/icon.svg`)
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/)
  server.close()
  vi.unstubAllEnvs()
  resetConfig()
})

it('watchRequests removes the Content-Security-Policy header that a client sends', async () => {
  watchRequests()
  const server = createServer((req, res) => void res.end(String(req.headers['content-security-policy'])))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'content-security-policy': "script-src 'nonce-chosen'" }
  const answer = await fetch(`http://127.0.0.1:${port}/login`, { headers })
  expect(await answer.text()).toBe('undefined')
  server.close()
})

it('a request that offers an upgrade is answered as usual, and its socket is closed after the client disconnects', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  resetConfig()
  watchRequests()
  const server = createServer((_req, res) => res.end('a page'))
  // Next adds such a listener too, and leaves a socket open if the path is unknown.
  server.on('upgrade', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.end('GET //x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await new Promise((resolve) => socket.once('end', resolve))
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*a page/s)
  server.close()
  vi.unstubAllEnvs()
  resetConfig()
})
