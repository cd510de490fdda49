import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/config/env'
import { standAtTheDoor } from './beside-next'
import { addressFromHeaders } from './client-address'

it('believes no address that a client names, where Next’s own server is in front', async () => {
  standAtTheDoor()
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

it('tells browsers with every answer to come by https alone, where the product is reached by https', async () => {
  vi.stubEnv('BASE_URL', 'https://login.example.com')
  resetConfig()
  standAtTheDoor()
  const server = createServer((_req, res) => res.end('a file'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/icon.svg`)
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/)
  server.close()
  vi.unstubAllEnvs()
  resetConfig()
})

it('takes no policy from a client, which would keep the proxy from giving the answer one', async () => {
  standAtTheDoor()
  const server = createServer((req, res) => void res.end(String(req.headers['content-security-policy'])))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { 'content-security-policy': "script-src 'nonce-chosen'" }
  const answer = await fetch(`http://127.0.0.1:${port}/login`, { headers })
  expect(await answer.text()).toBe('undefined')
  server.close()
})
