import { afterAll, beforeAll, expect, it } from 'vitest'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import { startTlsServer, type TlsServer } from '@/lib/testing/tls-server'
import { loadLogo } from './next-step'

let host: TlsServer
let fetched = 0
beforeAll(async () => {
  host = await startTlsServer((_req, res) => {
    fetched += 1
    res.writeHead(404).end()
  })
  const allowed = { networks: ['127.0.0.0/8', '::1/128'], ports: [host.port], ca: host.ca }
  const close = allowOutboundForTests(allowed)
  afterAll(async () => {
    close()
    await host.close()
  })
})

it('the server fetches at most 60 new logos an hour for visitors at one IP address', async () => {
  const load = (n: number, ip: string) => loadLogo(`${host.origin}/logo?n=${n}`, ip)
  for (let n = 0; n < 70; n++) await load(n, '192.0.2.1')
  expect(fetched).toBe(60)
  await load(60, '192.0.2.2')
  expect(fetched).toBe(61)
})
