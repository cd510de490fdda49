import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { notePeers } from './beside-next'
import { addressFromHeaders } from './client-address'

it('believes no address that a client names, where Next’s own server is in front', async () => {
  notePeers()
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
