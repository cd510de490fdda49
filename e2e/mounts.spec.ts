import { expect, test } from './support/test'

/** The expected responses, which must be the same with server.ts and `next start`. */
const answers: [method: string, path: string, status: number, type: RegExp][] = [
  ['GET', '/oauth', 404, /json/],
  ['GET', '/oauth/', 404, /json/],
  ['GET', '/oauth/nothing/here/', 404, /json/],
  ['PATCH', '/oauth/token', 405, /json/],
  ['PUT', '/oauth/register/unknown', 401, /json/],
  ['DELETE', '/oauth/register/unknown', 401, /json/],
  ['HEAD', '/oauth/me', 401, /json/],
  ['GET', '/oauth/me/', 401, /json/],
  ['POST', '/oauth/token/', 400, /json/],
  ['HEAD', '/oauth/jwks', 200, /json/],
  ['GET', '/.well-known/openid-configuration', 404, /json/],
  ['GET', '/.well-known/openid-configuration/oauth/', 200, /json/],
  ['GET', '/.well-known/oauth-authorization-server/nothing', 404, /json/],
  ['POST', '/.well-known/oauth-protected-resource', 405, /json/],
  ['GET', '/graphql/v2/', 405, /json/],
  ['GET', '/login/', 308, /^/],
]

for (const [method, path, status, type] of answers) {
  test(`${method} ${path} responds with ${status} @mounts`, async ({ request }) => {
    const answer = await request.fetch(path, {
      method,
      maxRedirects: 0,
      headers: { accept: 'application/json' },
    })
    expect(answer.status()).toBe(status)
    expect(answer.headers()['content-type'] ?? '').toMatch(type)
    if (status === 308) expect(answer.headers().location).toBe('/login')
  })
}

test('pages from other origins can call the token endpoint @mounts', async ({ request }) => {
  const origin = 'http://127.0.0.1:6274'
  const asked = await request.fetch('/oauth/token', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect([asked.status(), asked.headers()['access-control-allow-origin']]).toEqual([204, origin])
})
