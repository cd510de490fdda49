import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { gatheredFailures } from '@/lib/features/apps/activity/failures'
import { authorizeUrl, requestToken, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, native } from '@/lib/testing/oauth-world'
import { sendRaw } from '@/lib/testing/raw-request'
import { metadataRoute, mount, routes } from '../protocol/routes'
import snapshot from './openid-configuration.snapshot.json' with { type: 'json' }

const server = await startOAuthServer()

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

describe('pages of other origins', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

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

describe('the OAuth server', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

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
    const answer = page.startsWith('/interaction/')
      ? await owner.browser.submit(`${page}/decision`, [['decision', 'authorize']])
      : response
    const location = new URL(answer.headers.get('location') as string)
    expect(location.searchParams.get('error')).toBe('invalid_request')
  })

  it.each([{ software_id: 'a\0' }, { software_id: '\ud800' }, { client_uri: 'https://a.example/\0' }])(
    'rejects a registration with the invalid metadata %j',
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
