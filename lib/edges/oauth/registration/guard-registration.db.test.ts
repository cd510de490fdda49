import { beforeAll, beforeEach, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { startTestServer, type TestServer } from '@/lib/testing/server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => prisma().rateLimit.deleteMany())

it('the registration endpoint accepts 60 updates an hour from one IP address, then returns 429 with Retry-After', async () => {
  const metadata = { redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' }
  const send = (method: string, path: string, body: object, token?: string) =>
    server.fetch(path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
  const client = (await (await send('POST', '/oauth/register', metadata)).json()) as Record<string, string>
  const { client_id = '', registration_access_token: token } = client
  const update = () => send('PUT', `/oauth/register/${client_id}`, { ...metadata, client_id }, token)
  for (let at = 0; at < 60; at++) expect((await update()).status).toBe(200)
  const refused = await update()
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
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
