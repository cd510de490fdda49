import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures } from '@/lib/features/apps/activity/failures'
import { authorizeUrl, requestToken } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner, web, cli } = await startOAuthWorld()

/** PostgreSQL stores no NUL and no half of a surrogate pair; whoever sends them is refused, and never sees a 500. */

const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(new URL(path, config().BASE_URL), {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  return { status: response.status, error: ((await response.json()) as { error?: string }).error }
}

describe('a client_id with NUL is no client', () => {
  it('at /oauth/auth', async () => {
    const url = authorizeUrl({ ...web, clientId: 'a\0' })
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('at /oauth/token', async () => {
    const { status, body } = await requestToken(
      { ...web, clientId: '\0' },
      { grant_type: 'authorization_code' },
    )
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_client')
  })

  it.each(['/oauth/device/auth', '/oauth/request'])('at %s', async (path) => {
    expect(await post(path, { client_id: '\0', scope: 'openid' })).toEqual({
      status: 400,
      error: 'invalid_client',
    })
  })
})

it.each(['nonce', 'acr_values', 'login_hint'])('refuses a device whose %s holds NUL', async (name) => {
  const answer = await post('/oauth/device/auth', { client_id: cli.clientId, scope: 'openid', [name]: '\0' })
  expect(answer).toEqual({ status: 400, error: 'invalid_request' })
})

it.each([
  ['nonce', '\0'],
  ['acr_values', '\0'],
  ['claims', '{"id_token":{"a\\u0000":null}}'],
  ['claims', '{"id_token":{"a\\ud800":null}}'],
])('sends an app back whose %s is %j', async (name, value) => {
  const response = await owner.browser.follow(authorizeUrl(web, { [name]: value }))
  const page = new URL(response.url).pathname
  const answer = page.startsWith('/interaction/')
    ? await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
    : response
  const location = new URL(answer.headers.get('location') as string)
  expect(location.searchParams.get('error')).toBe('invalid_request')
})

it.each([{ software_id: 'a\0' }, { software_id: '\ud800' }, { client_uri: 'https://a.example/\0' }])(
  'refuses the registration of %j',
  async (metadata) => {
    const response = await fetch(new URL('/oauth/register', config().BASE_URL), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: native.redirectUris, ...metadata }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' })
  },
)

it('refuses a logout whose state holds NUL', async () => {
  const response = await owner.browser.request('/oauth/session/end?state=%00')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})

it.each(['POST', 'PUT', 'DELETE'])('%s is no way to ask for the metadata of the resource', async (method) => {
  const url = new URL('/.well-known/oauth-protected-resource', config().BASE_URL)
  const response = await fetch(url, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

it('does not lose the record of other refusals to a redirect URI with NUL', async () => {
  const headers = { accept: 'application/json' }
  await fetch(authorizeUrl(web, { redirect_uri: 'https://evil.example/' }), { headers })
  await fetch(authorizeUrl(cli, { redirect_uri: 'https://evil.example/\0' }), { headers })
  await gatheredFailures.now()
  const clientId = { in: [web.clientId, cli.clientId] }
  expect(await prisma().appFailure.count({ where: { clientId, error: 'invalid_redirect_uri' } })).toBe(2)
})

it.each(['/oauth/device/x', '/.well-known/openid-configuration'])('GET %s leads nowhere', async (path) => {
  const response = await fetch(new URL(path, config().BASE_URL))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({
    error: 'invalid_request',
    error_description: `there is nothing at GET ${path}`,
  })
})

it.each([
  ['GET', '/oauth/token', 'POST, OPTIONS'],
  ['PATCH', '/oauth/auth', 'GET, HEAD, POST, OPTIONS'],
  ['GET', '/oauth/device/auth', 'POST, OPTIONS'],
  ['PUT', '/oauth/request', 'POST, OPTIONS'],
  ['DELETE', '/oauth/me', 'GET, HEAD, POST, OPTIONS'],
  ['GET', '/oauth/register', 'POST, OPTIONS'],
  ['POST', '/oauth/register/someone', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['POST', '/oauth/jwks/', 'GET, HEAD, OPTIONS'],
  ['POST', '/oauth/.well-known/openid-configuration', 'GET, HEAD, OPTIONS'],
])('%s %s is a 405 that names what the endpoint takes', async (method, path, allow) => {
  const url = new URL(path, config().BASE_URL)
  const response = await fetch(url, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  const asked = await fetch(url, { method: 'OPTIONS' })
  expect([asked.status, asked.headers.get('allow')]).toEqual([204, allow])
})

it.each(['/oauth/jwks', '/oauth/me', '/oauth/token', '/oauth/.well-known/openid-configuration', '/oauth/x'])(
  'what %s answers is read as what it says it is',
  async (path) => {
    const response = await fetch(new URL(path, config().BASE_URL))
    expect(response.headers.get('content-type')).toMatch(/json/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  },
)
