import { beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '@/lib/testing/server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

it('the registration endpoint accepts a burst from one IP address, then returns 429 with Retry-After', async () => {
  const register = () =>
    server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      }),
    })
  for (let at = 0; at < 60; at++) expect((await register()).status).toBe(201)
  const refused = await register()
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(3600)
})
