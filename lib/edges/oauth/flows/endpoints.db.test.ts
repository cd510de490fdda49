import { beforeEach, describe, expect, it } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures } from '@/lib/features/apps/activity/failures'
import { gatheredActivity, mostRefusals } from '@/lib/features/apps/activity/note-activity'
import { registerApp } from '@/lib/testing/app-requests'
import { makeClientKey } from '@/lib/testing/client-key'
import { submitConsent } from '@/lib/testing/oauth-consent'
import { authorizeUrl, requestToken, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { sendRaw } from '@/lib/testing/raw-request'
import { visitKey, visits, visitsPerMinute } from '../pages/limit-visits'
import { metadataRoute, mount, routes } from '../protocol/routes'
import { maxParameterLength, maxPendingBytes, pendingPerMinute } from '../store/limit-pending'
import snapshot from './openid-configuration.snapshot.json'

const { server, owner, web, cli } = await startOAuthWorld()
// The tests of limits send requests as a proxy on this machine would.
process.env.TRUST_PROXY = '1'
resetConfig()
beforeEach(() => prisma().$executeRaw`DELETE FROM rate_limits`)

describe('metadata', () => {
  const read = async (path: string) => {
    const response = await server.fetch(path, { headers: { origin: 'http://localhost:6274' } })
    expect(response.status, path).toBe(200)
    expect(response.headers.get('access-control-allow-origin'), path).toBeTruthy()
    return JSON.parse((await response.text()).replaceAll(config().BASE_URL, 'https://id.example')) as object
  }

  describe('authorization server metadata', () => {
    it('matches the snapshot', async () => {
      expect(await read('/oauth/.well-known/openid-configuration')).toEqual(snapshot)
    })

    it('matches the snapshot at the URL that RFC 8414 defines', async () => {
      expect(await read('/.well-known/openid-configuration/oauth')).toEqual(snapshot)
    })

    it.each([
      '/oauth/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/oauth',
      '/.well-known/oauth-authorization-server',
    ])('at %s includes the jwt-bearer grant type, although only some apps can use it', async (path) => {
      const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      expect(await read(path)).toEqual({
        ...snapshot,
        grant_types_supported: [...snapshot.grant_types_supported, grant],
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      })
    })
  })

  describe('protected resource metadata', () => {
    it.each([
      ['/.well-known/oauth-protected-resource', 'https://id.example'],
      ['/.well-known/oauth-protected-resource/graphql/v2', 'https://id.example/graphql/v2'],
      ['/.well-known/oauth-protected-resource/mcp', 'https://id.example/mcp'],
    ])(
      'at %s names its resource, and lists neither offline_access nor admin scopes',
      async (path, resource) => {
        const metadata = (await read(path)) as { scopes_supported: string[] }
        expect(metadata).toMatchObject({ resource, authorization_servers: ['https://id.example/oauth'] })
        expect(metadata.scopes_supported).not.toContain('offline_access')
        expect(metadata.scopes_supported.filter((scope) => scope.endsWith(':admin'))).toEqual([])
      },
    )
  })
})

describe('pages of other origins', () => {
  const preflight = (path: string) =>
    server.fetch(path, {
      method: 'OPTIONS',
      headers: { origin: 'http://127.0.0.1:6274', 'access-control-request-method': 'POST' },
    })
  const tokenFrom = (origin: string, app: TestApp) =>
    requestToken(app, { grant_type: 'refresh_token', refresh_token: 'x' }, { origin })

  it('can use the token endpoint for a public client whose redirect URI has the same origin, on any loopback port', async () => {
    expect((await preflight('/oauth/token')).status).toBe(204)
    const own = await tokenFrom('http://127.0.0.1:6274', cli)
    expect([own.body.error, own.headers.get('access-control-allow-origin')]).toEqual([
      'invalid_grant',
      'http://127.0.0.1:6274',
    ])
  })

  it('cannot use the token endpoint from an unregistered origin, from the origin null, or for a confidential client', async () => {
    for (const [origin, app] of [
      ['https://evil.example', cli],
      ['null', cli],
      ['https://app.example.test', web],
    ] as [string, TestApp][]) {
      const answer = await tokenFrom(origin, app)
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('cannot read responses from the authorization or sign-out endpoint', async () => {
    const headers = { origin: 'http://127.0.0.1:6274' }
    for (const path of [authorizeUrl(cli, { prompt: 'none' }), authorizeUrl(web), '/oauth/session/end']) {
      const { headers: answered } = await owner.browser.request(path, { headers })
      expect(answered.get('access-control-allow-origin'), path).toBeNull()
      const asked = await preflight(path)
      expect(asked.headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })

  it('can read claims with a token', async () => {
    const { body } = await signInToApp(owner.browser, web)
    const response = await server.fetch('/oauth/me', {
      headers: { origin: 'https://app.example.test', authorization: `Bearer ${body.access_token}` },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.test')
  })
})

describe('the router', () => {
  const endpoints = [...Object.values(routes), `${routes.end_session}/confirm`, metadataRoute]
  const capital = (path: string) => path.replace(/[a-z]/, (letter) => letter.toUpperCase())

  /**
   * Returns paths that oidc-provider's router, or a lenient router of our own, would match to an endpoint.
   */
  const spellings = (path: string): string[] => [
    ...[path.toUpperCase(), capital(path), `${path}//`, `/${path}`, path.replace(/\/(?=[^/]*$)/, '//')],
    ...[
      `${path}/abc/def`,
      `${path}%2f`,
      `${path};a=b`,
      `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
    ],
  ]

  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  async function expectNothing(spelling: string): Promise<void> {
    for (const method of methods) {
      const request = { method, path: mount + spelling, headers: form }
      const { status, headers, body } = await sendRaw(config().BASE_URL, request)
      expect([method, spelling, status]).toEqual([method, spelling, 404])
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(headers['set-cookie']).toBeUndefined()
      if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' })
    }
  }

  describe('a variant of an endpoint’s path', () => {
    it.each(endpoints)('is rejected: %s', async (path) => {
      for (const spelling of spellings(path)) await expectNothing(spelling)
    })

    it.each(['/AUTH/x', '/auth//x', '/Register/x', '/register//x', '/device/x', '/DEVICE/abc', '/', ''])(
      'is rejected: "%s"',
      (path) => expectNothing(path),
    )

    it.each(['GET', 'POST', 'HEAD'])(
      'such as /oauth/device/ is redirected to /device for %s requests',
      async (method) => {
        for (const path of ['/oauth/device', '/oauth/device/']) {
          const { status, headers } = await sendRaw(config().BASE_URL, {
            method,
            path: `${path}?user_code=A`,
            headers: form,
          })
          expect([status, headers.location]).toEqual([302, '/device?user_code=A'])
        }
      },
    )
  })

  it.each(['TRACE', 'PROPFIND', 'QUERY'])('answers %s with 405 at every endpoint', async (method) => {
    for (const path of [
      ...endpoints.map((each) => mount + each),
      '/oauth/.well-known/oauth-authorization-server',
      '/graphql/v2',
    ]) {
      const { status, headers } = await sendRaw(config().BASE_URL, { method, path })
      expect([path, status]).toEqual([path, 405])
      expect(headers.allow).toBeTruthy()
    }
  })
})

describe('the OAuth server', () => {
  /**
   * PostgreSQL cannot store NUL or lone surrogates. Requests that contain them must be rejected without a 500
   * response.
   */

  const post = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(new URL(path, config().BASE_URL), {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    return { status: response.status, error: ((await response.json()) as { error?: string }).error }
  }

  describe('a client_id with a NUL character', () => {
    it('is rejected at /oauth/auth', async () => {
      const url = authorizeUrl({ ...web, clientId: 'a\0' })
      const response = await fetch(url, { headers: { accept: 'application/json' } })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    })

    it('is rejected at /oauth/token', async () => {
      const { status, body } = await requestToken(
        { ...web, clientId: '\0' },
        { grant_type: 'authorization_code' },
      )
      expect(status).toBe(400)
      expect(body.error).toBe('invalid_client')
    })

    it.each(['/oauth/device/auth', '/oauth/request'])('is rejected at %s', async (path) => {
      expect(await post(path, { client_id: '\0', scope: 'openid' })).toEqual({
        status: 400,
        error: 'invalid_client',
      })
    })
  })

  it.each(['nonce', 'acr_values', 'login_hint'])(
    'rejects a device request with a NUL character in %s',
    async (name) => {
      const answer = await post('/oauth/device/auth', {
        client_id: cli.clientId,
        scope: 'openid',
        [name]: '\0',
      })
      expect(answer).toEqual({ status: 400, error: 'invalid_request' })
    },
  )

  it.each([
    ['nonce', '\0'],
    ['acr_values', '\0'],
    ['claims', '{"id_token":{"a\\u0000":null}}'],
    ['claims', '{"id_token":{"a\\ud800":null}}'],
  ])('returns invalid_request to the app if the parameter %s is %j', async (name, value) => {
    const response = await owner.browser.follow(authorizeUrl(web, { [name]: value }))
    const page = new URL(response.url).pathname
    const answer = page.startsWith('/interaction/') ? await submitConsent(owner.browser, page) : response
    const location = new URL(answer.headers.get('location') as string)
    expect(location.searchParams.get('error')).toBe('invalid_request')
  })

  it.each([{ software_id: 'a\0' }, { software_id: '\ud800' }, { client_uri: 'https://a.example/\0' }])(
    'rejects a registration with the invalid metadata %j',
    async (metadata) => {
      const { status, body } = await registerApp({ redirect_uris: native.redirectUris, ...metadata })
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: 'invalid_client_metadata' })
    },
  )

  it('rejects a logout with a NUL character in the state', async () => {
    const response = await owner.browser.request('/oauth/session/end?state=%00')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it.each(['POST', 'PUT', 'DELETE'])(
    'rejects %s requests for the protected resource metadata',
    async (method) => {
      const url = new URL('/.well-known/oauth-protected-resource', config().BASE_URL)
      const response = await fetch(url, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    },
  )

  it('records the errors of two requests even if one has a redirect URI with a NUL character', async () => {
    const headers = { accept: 'application/json' }
    await fetch(authorizeUrl(web, { redirect_uri: 'https://evil.example/' }), { headers })
    await fetch(authorizeUrl(cli, { redirect_uri: 'https://evil.example/\0' }), { headers })
    await gatheredFailures.now()
    const clientId = { in: [web.clientId, cli.clientId] }
    expect(await prisma().appFailure.count({ where: { clientId, error: 'invalid_redirect_uri' } })).toBe(2)
  })

  it.each(['/oauth/device/x', '/.well-known/openid-configuration'])(
    'answers GET %s with 404',
    async (path) => {
      const response = await fetch(new URL(path, config().BASE_URL))
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({
        error: 'invalid_request',
        error_description: `no endpoint at GET ${path}`,
      })
    },
  )

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
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const url = new URL(path, config().BASE_URL)
    const response = await fetch(url, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    const asked = await fetch(url, { method: 'OPTIONS' })
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, allow])
  })

  it.each([
    '/oauth/jwks',
    '/oauth/me',
    '/oauth/token',
    '/oauth/.well-known/openid-configuration',
    '/oauth/x',
  ])('sends nosniff in the response from %s', async (path) => {
    const response = await fetch(new URL(path, config().BASE_URL))
    expect(response.headers.get('content-type')).toMatch(/json/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

/** An app that sends requests without its secret. */
const alone: TestApp = { ...web, secret: undefined }
const { unproven, proven } = pendingPerMinute
const pendingEndpoints = {
  '/oauth/request': { model: 'PushedAuthorizationRequest', accepted: 201 },
  '/oauth/device/auth': { model: 'DeviceCode', accepted: 200 },
}
type Path = keyof typeof pendingEndpoints
const paths = Object.keys(pendingEndpoints) as Path[]

const formOf = (app: TestApp, params: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: app.clientId,
    ...(app.secret ? { client_secret: app.secret } : {}),
    scope: 'openid',
    redirect_uri: app.redirectUri,
    response_type: 'code',
    ...params,
  })

/** Sends a request as a proxy on this machine would. */
async function send(path: Path, body: URLSearchParams, address = '198.51.100.1', headers = {}) {
  const reply = await server.fetch(path, {
    method: 'POST',
    headers: { 'x-forwarded-for': address, ...headers },
    body,
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}

const stored = (path: Path) =>
  prisma().oAuthArtifact.count({ where: { model: pendingEndpoints[path].model } })

/** Sets the count of a limit, to simulate that many requests. */
const spend = (key: string, points: number) =>
  prisma().$executeRaw`UPDATE rate_limits SET points = ${points} WHERE key LIKE ${`${key}%`}`

describe.each(paths)('the endpoint %s', (path) => {
  const route = path === '/oauth/request' ? 'pushed_authorization_request' : 'device_authorization'
  const { accepted } = pendingEndpoints[path]

  it('accepts a limited burst from one IP address, and answers 429 to further requests without storing them', async () => {
    const before = await stored(path)
    const replies = await Promise.all(Array.from({ length: 150 }, () => send(path, formOf(alone))))
    const refused = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === accepted)).toHaveLength(unproven.address)
    expect(refused).toHaveLength(150 - unproven.address)
    expect((await stored(path)) - before).toBe(unproven.address)
    for (const { headers, body } of refused) {
      expect(body).toEqual({
        error: 'temporarily_unavailable',
        error_description: expect.stringContaining('too many'),
      })
      const wait = Number(headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
    }
    expect((await send(path, formOf(alone), '203.0.113.9')).status).toBe(accepted)
  })

  it('counts two addresses of an IPv6 network as one', async () => {
    await send(path, formOf(alone), '2001:db8::1')
    await spend(`${route} unproven address`, unproven.address)
    expect((await send(path, formOf(alone), '2001:db8::2')).status).toBe(429)
  })

  it('limits an app regardless of how many IP addresses it uses', async () => {
    await send(path, formOf(alone), '198.51.100.2')
    await spend(`${route} unproven client`, unproven.client)
    const before = await stored(path)
    expect((await send(path, formOf(alone), '198.51.100.3')).status).toBe(429)
    expect(await stored(path)).toBe(before)
    const other = { ...(await owner.makeApp()), secret: undefined }
    expect((await send(path, formOf(other), '198.51.100.3')).status).toBe(accepted)
  })

  it('keeps requests without credentials from using up the limit of an app that authenticates', async () => {
    await send(path, formOf(alone))
    await spend(`${route} unproven`, unproven.client)
    expect((await send(path, formOf(alone))).status).toBe(429)
    expect((await send(path, formOf(web))).status).toBe(accepted)
    await spend(`${route} proven client`, proven.client)
    expect((await send(path, formOf(web))).status).toBe(429)
  })

  it('does not count requests with wrong credentials toward the limit of the app', async () => {
    for (let at = 0; at < 3; at++) {
      expect((await send(path, formOf({ ...web, secret: 'wrong' }))).status).toBe(400)
    }
    expect(await prisma().$queryRaw`SELECT * FROM rate_limits WHERE key LIKE ${`${route}%`}`).toEqual([])
  })

  it('applies the limit for unauthenticated requests to a self-registered app with a secret', async () => {
    const { app } = await registerApp({
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
    expect((await send(path, formOf(app))).status).toBe(accepted)
    await spend(`${route} unproven address`, unproven.address)
    expect((await send(path, formOf(app))).status).toBe(429)
  })

  it('rejects a body that is too large', async () => {
    const body = formOf(alone, { state: 'a'.repeat(maxPendingBytes) })
    expect(await send(path, body)).toMatchObject({
      status: 413,
      body: { error: 'invalid_request', error_description: 'the request must not exceed 16384 bytes' },
    })
  })
})

describe('a pushed request', () => {
  it.each(['state', 'nonce', 'login_hint'])('is rejected if its %s is too long', async (name) => {
    const longest = formOf(alone, { [name]: 'a'.repeat(maxParameterLength) })
    expect((await send('/oauth/request', longest)).status).toBe(201)
    const longer = formOf(alone, { [name]: 'a'.repeat(maxParameterLength + 1) })
    const before = await stored('/oauth/request')
    expect(await send('/oauth/request', longer)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `${name} must not exceed 4096 characters` },
    })
    expect(await stored('/oauth/request')).toBe(before)
  })

  it('is limited in size even without a Content-Length', async () => {
    const names = ['state', 'nonce', 'ui_locales', 'login_hint', 'claims_locales']
    const long = names.map((name) => [name, 'a'.repeat(maxParameterLength)])
    const before = await stored('/oauth/request')
    const { status } = await sendRaw(server.url, {
      path: '/oauth/request',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
      body: formOf(alone, Object.fromEntries(long)).toString(),
      pieces: 3,
    })
    expect(status).toBe(413)
    expect(await stored('/oauth/request')).toBe(before)
  })

  it('is rejected without storing its DPoP proof if it exceeds the rate limit', async () => {
    const key = await makeClientKey('ES256')
    const pushed = async (address: string) =>
      send('/oauth/request', formOf(alone), address, {
        dpop: await key.proof('POST', '/oauth/request'),
      })
    const proofs = () => prisma().oAuthArtifact.count({ where: { model: 'ReplayDetection' } })
    expect((await pushed('198.51.100.7')).status).toBe(201)
    const before = await proofs()
    expect(before).toBe(1)
    await spend('pushed_authorization_request unproven address', unproven.address)
    expect((await pushed('198.51.100.7')).status).toBe(429)
    expect(await proofs()).toBe(before)
  })
})

describe.each([
  ['an authorization request', routes.authorization, () => authorizeUrl(web), 'Interaction'],
  ['a sign-out request', routes.end_session, () => '/oauth/session/end', 'Session'],
])('%s from a browser that is not signed in', (_what, endpoint, address, model) => {
  const from = (ip: string, headers: Record<string, string> = {}) =>
    server.fetch(address(), { headers: { accept: 'text/html', 'x-forwarded-for': ip, ...headers } })
  const rows = () => prisma().oAuthArtifact.count({ where: { model } })
  /** Leaves an address only one more request before it reaches its limit. */
  const leaveOne = (ip: string) => visits().set(visitKey(endpoint, ip), visitsPerMinute - 1, 60)

  it('is stored, or gets an error page if its IP address has reached the limit', async () => {
    await leaveOne('198.51.100.20')
    const before = await rows()
    const replies = await Promise.all([1, 2, 3, 4].map(() => from('198.51.100.20')))
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 429, 429, 429])
    expect((await rows()) - before).toBe(1)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await refused?.text()).toContain('Too many requests from your IP address')
    expect((await from('198.51.100.21')).status).toBe(302)
  })

  it('gets a JSON error if its IPv6 network has reached the limit and the client accepts JSON', async () => {
    await leaveOne('2001:db8:1::1')
    expect((await from('2001:db8:1::1')).status).toBe(302)
    const refused = await from('2001:db8:1::2', { accept: 'application/json' })
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.stringContaining('too many requests') },
    ])
  })

  it('does not use up the limit of users who are signed in at the same IP address', async () => {
    const ip = '198.51.100.22'
    await leaveOne(ip)
    const signedIn = () =>
      owner.browser.request(address(), { headers: { accept: 'text/html', 'x-forwarded-for': ip } })
    for (let sent = 0; sent < 3; sent++) expect((await signedIn()).status).not.toBe(429)
    expect((await from(ip)).status).toBe(302)
    expect((await from(ip)).status).toBe(429)
    expect((await signedIn()).status).not.toBe(429)
    expect((await from(ip, { cookie: 'session-token=made-up' })).status).toBe(429)
  })
})

it('the server stores an unconfirmed sign-out for at most an hour', async () => {
  await prisma().oAuthArtifact.deleteMany({ where: { model: 'Session' } })
  await server.fetch('/oauth/session/end', { headers: { 'x-forwarded-for': '198.51.100.30' } })
  const { createdAt, expiresAt } = await prisma().oAuthArtifact.findFirstOrThrow({
    where: { model: 'Session' },
  })
  expect(expiresAt.getTime() - createdAt.getTime()).toBeLessThanOrEqual(3_600_000)
})

it('the server records a limited number of errors per app and minute', async () => {
  const app = await owner.makeApp()
  const refused = () =>
    send('/oauth/device/auth', formOf({ ...app, secret: 'wrong' }), '198.51.100.40').then(
      ({ status }) => status,
    )
  for (let sent = 0; sent < mostRefusals + 5; sent += 5) {
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(refused)))).toEqual(new Set([400]))
  }
  await gatheredActivity.now()
  expect(await prisma().appEvent.count({ where: { clientId: app.clientId } })).toBe(mostRefusals)
})
