import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { type ClientKey, makeClientKey } from '@/lib/testing/client-key'
import {
  authorize,
  authorizeUrl,
  challengeOf,
  newVerifier,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld } from '@/lib/testing/oauth-world'

const server = await startOAuthServer()

describe('authorization requests', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  const pkce = () => {
    const verifier = newVerifier()
    return { verifier, params: { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } }
  }

  describe('GET /oauth/auth', () => {
    const cases: [string, () => TestApp, Record<string, string | undefined>, string][] = [
      ['a missing response_type', () => web, { response_type: undefined }, 'invalid_request'],
      ['a response_type other than code', () => web, { response_type: 'token' }, 'unsupported_response_type'],
      [
        'the hybrid flow',
        () => web,
        { response_type: 'code id_token', nonce: 'n' },
        'unsupported_response_type',
      ],
      ['a missing scope', () => web, { scope: undefined }, 'invalid_request'],
      ['a scope without openid', () => web, { scope: 'email' }, 'invalid_scope'],
      ['only unknown scopes', () => web, { scope: 'wizardry' }, 'invalid_request'],
      ['a public client without PKCE', () => cli, {}, 'invalid_request'],
      [
        'plain PKCE',
        () => cli,
        { code_challenge: newVerifier(), code_challenge_method: 'plain' },
        'invalid_request',
      ],
      [
        'a code_challenge without a code_challenge_method',
        () => web,
        { code_challenge: challengeOf('x') },
        'invalid_request',
      ],
      ['an unsigned request object', () => web, { request: 'e30.e30.' }, 'invalid_request_object'],
      ['an unknown prompt', () => web, { prompt: 'dance' }, 'invalid_request'],
      ['a resource of another service', () => web, { resource: 'https://other.example' }, 'invalid_target'],
    ]
    it.each(cases)('returns an error to the app for %s', async (_, app, params, error) => {
      const response = await owner.browser.request(authorizeUrl(app(), params))
      expect(response.status).toBe(302)
      const location = new URL(response.headers.get('location') as string)
      expect(location.href.startsWith(app().redirectUri)).toBe(true)
      // Implicit response types are answered in the fragment (OAuth 2.0 Multiple Response Types section 5).
      const answer = location.search || location.hash.slice(1)
      expect(Object.fromEntries(new URLSearchParams(answer))).toMatchObject({
        error,
        state: 'the-state',
        iss: `${config().BASE_URL}/oauth`,
      })
    })

    it('ignores unknown parameters (RFC 6749 section 3.1), including repeated and empty ones', async () => {
      const unknown = { utm_source: 'mail', workspace: 'x', __proto: '1', 'a[b]': 'c', 'no value': '' }
      const url = new URL(authorizeUrl(web, unknown))
      url.searchParams.append('utm_source', 'again')
      const { body } = await signInToApp(owner.browser, web)
      expect(body.scope).toBe('openid')
      const response = await owner.browser.request(url.href)
      const answer = new URL(response.headers.get('location') as string)
      expect([...answer.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
      const code = answer.searchParams.get('code') as string
      const exchange = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: web.redirectUri,
        color: 'red',
      }
      expect((await requestToken(web, exchange)).status).toBe(200)
    })

    it('returns an error for a known parameter that is sent twice (RFC 6749 section 3.1)', async () => {
      const url = new URL(authorizeUrl(web))
      url.searchParams.append('scope', 'openid email')
      const answer = new URL((await owner.browser.request(url.href)).headers.get('location') as string)
      expect(answer.searchParams.get('error')).toBe('invalid_request')
    })

    it('ignores unknown scopes', async () => {
      const { body } = await signInToApp(owner.browser, web, { scope: 'openid claudeai wizardry' })
      expect(body.scope).toBe('openid')
    })

    it.each(['', '/', '/graphql/v2', '/graphql/v2/', '/mcp', '/mcp/'])(
      'accepts the base URL followed by "%s" as the resource',
      async (path) => {
        const answer = await authorize(owner.browser, web, { resource: `${config().BASE_URL}${path}` })
        expect(answer.get('code')).toMatch(/^lk_ac_/)
      },
    )
  })

  describe('GET /oauth/auth responds with an error instead of redirecting', () => {
    const get = (app: TestApp, params: Record<string, string | undefined>, accept: string) =>
      owner.browser.request(authorizeUrl(app, params), { headers: { accept } })

    it.each([
      ['another path', { redirect_uri: 'https://app.example.test/callback/' }],
      ['another query', { redirect_uri: 'https://app.example.test/callback?x=1' }],
      ['another host', { redirect_uri: 'https://app.example.test.evil.example/callback' }],
      ['another port', { redirect_uri: 'https://app.example.test:8443/callback' }],
      ['another scheme', { redirect_uri: 'http://app.example.test/callback' }],
      [
        'another host and the request has another error',
        { redirect_uri: 'https://evil.example/', response_type: undefined },
      ],
    ])('when the redirect URI has %s', async (_, params) => {
      const page = await get(web, params, 'text/html,application/xhtml+xml,*/*;q=0.8')
      expect(page.status).toBe(400)
      expect(page.headers.get('location')).toBeNull()
      expect(page.headers.get('content-type')).toMatch(/^text\/html/)
      const text = await page.text()
      expect(text).toContain('invalid_redirect_uri')
      expect(text).toContain('Contact the app’s developer.')
      const json = await get(web, params, 'application/json')
      expect(json.status).toBe(400)
      const error_description = expect.stringContaining(`${params.redirect_uri} is not registered`)
      expect(await json.json()).toMatchObject({ error: 'invalid_redirect_uri', error_description })
    })

    it('when the app is unknown', async () => {
      const response = await get({ ...web, clientId: 'lk_app_nobody' }, {}, 'application/json')
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_client' })
    })

    it('when there is no redirect URI', async () => {
      const response = await get(web, { redirect_uri: undefined }, 'application/json')
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    })
  })

  describe('loopback redirect URIs', () => {
    const at = (app: TestApp, redirect_uri: string) =>
      owner.browser.request(authorizeUrl(app, { redirect_uri, ...pkce().params }))

    it('can vary in port only if they are registered without a port', async () => {
      expect((await at(cli, 'http://127.0.0.1:9999/callback')).status).toBe(400)
      const open = await owner.makeApp({ type: 'NATIVE', redirectUris: ['http://127.0.0.1/callback'] })
      expect((await at(open, 'http://127.0.0.1:9999/callback')).status).toBe(302)
      expect((await at(open, 'http://127.0.0.1/callback')).status).toBe(302)
      expect((await at(open, 'http://127.0.0.1:9999/other')).status).toBe(400)
      expect((await at(open, 'http://localhost:9999/callback')).status).toBe(400)
    })

    it('cannot vary in port for a web app', async () => {
      const local = await owner.makeApp({ redirectUris: ['http://127.0.0.1/callback'] })
      expect((await at(local, 'http://127.0.0.1:9999/callback')).status).toBe(400)
    })
  })

  describe('the endpoint /oauth/me', () => {
    it('responds with 401 and WWW-Authenticate if there is no valid token', async () => {
      for (const authorization of [undefined, 'Bearer nonsense', 'Bearer', 'Basic eDp5', 'nonsense']) {
        const response = await server.fetch('/oauth/me', authorization ? { headers: { authorization } } : {})
        expect(response.status, authorization).toBe(401)
        expect(response.headers.get('www-authenticate'), authorization).toMatch(/^Bearer /)
        expect(await response.json(), authorization).toMatchObject({ error: 'invalid_token' })
      }
    })

    it('accepts the token in a POST body, but not in the URL', async () => {
      const { body } = await signInToApp(owner.browser, web)
      const posted = await server.fetch('/oauth/me', {
        method: 'POST',
        body: new URLSearchParams({ access_token: body.access_token as string }),
      })
      expect(await posted.json()).toEqual({ sub: owner.user.id })
      expect((await server.fetch(`/oauth/me?access_token=${body.access_token}`)).status).toBe(401)
      const twice = await server.fetch('/oauth/me', {
        method: 'POST',
        headers: { authorization: `Bearer ${body.access_token}` },
        body: new URLSearchParams({ access_token: body.access_token as string }),
      })
      expect(twice.status).toBe(400)
    })

    it('requires a proof with the DPoP scheme, and the DPoP scheme with a proof', async () => {
      const { body } = await signInToApp(owner.browser, web)
      const cases = [
        { authorization: `DPoP ${body.access_token}` },
        { authorization: 'DPoP nonsense' },
        { authorization: `Bearer ${body.access_token}`, dpop: 'a.b.c' },
      ]
      for (const headers of cases) {
        const response = await server.fetch('/oauth/me', { headers: headers as Record<string, string> })
        expect(response.status, headers.authorization).toBe(401)
        expect(response.headers.get('www-authenticate')).toMatch(
          /^DPoP .*error="invalid_dpop_proof".*algs="ES256/,
        )
        expect(await response.json()).toMatchObject({ error: 'invalid_dpop_proof' })
      }
    })

    it('rejects a token for the GraphQL API', async () => {
      const forApi = async (resource: string) => {
        const code = (await authorize(owner.browser, web, { resource })).get('code') as string
        const { body } = await requestToken(web, {
          grant_type: 'authorization_code',
          code,
          redirect_uri: web.redirectUri,
          resource,
        })
        return server.fetch('/oauth/me', { headers: { authorization: `Bearer ${body.access_token}` } })
      }
      expect((await forApi(`${config().BASE_URL}/graphql/v2`)).status).toBe(401)
      expect((await forApi(config().BASE_URL)).status).toBe(200)
    })
  })

  describe('an unexpected request', () => {
    it('is answered with 400 for malformed percent-encoding and 404 for an unknown path', async () => {
      expect((await server.fetch('/oauth/%E0%A4%A')).status).toBe(400)
      const unknown = await server.fetch('/oauth/nothing-here')
      expect(unknown.status).toBe(404)
      expect(await unknown.json()).toMatchObject({ error: 'invalid_request' })
    })

    it('does not change the URLs in the metadata by its X-Forwarded-Host header', async () => {
      const response = await fetch(new URL('/oauth/.well-known/openid-configuration', config().BASE_URL), {
        headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      })
      const { token_endpoint, issuer } = (await response.json()) as Record<string, string>
      expect([issuer, token_endpoint]).toEqual([
        `${config().BASE_URL}/oauth`,
        `${config().BASE_URL}/oauth/token`,
      ])
    })
  })
})

describe('a request object', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  const issuer = () => `${config().BASE_URL}/oauth`
  const verifier = newVerifier()
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }

  const makeApp = (key: ClientKey, metadata: object = {}) =>
    owner
      .makeApp({ metadata: { token_endpoint_auth_method: 'private_key_jwt', jwks: key.jwks, ...metadata } })
      .then((app): TestApp => ({ ...app, secret: undefined }))

  const errorOf = async (app: TestApp, params: Record<string, string | undefined>) => {
    const response = await owner.browser.follow(authorizeUrl(app, params))
    const location = response.headers.get('location')
    return location ? new URL(location).searchParams.get('error') : response.status
  }

  it('protects the request against changes', async () => {
    const key = await makeClientKey('PS256')
    const app = await makeApp(key, { require_signed_request_object: true })
    const request = await key.requestObject(app.clientId, {
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 'signed',
      ...pkce,
    })
    const answer = await authorize(owner.browser, app, { request, state: 'changed', nonce: 'changed' })
    expect(answer.get('state')).toBe('signed')
    const tokens = await requestToken(app, {
      grant_type: 'authorization_code',
      code: answer.get('code') as string,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      ...(await key.assertion(app.clientId)),
    })
    expect(tokens.status).toBe(200)
    expect(await errorOf(app, {})).toBe('invalid_request')
  })

  it('is accepted only by value, and only if the app signed it for this server', async () => {
    const key = await makeClientKey()
    const app = await makeApp(key)
    const claims = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' }
    const good = await key.requestObject(app.clientId, claims)
    const objects = {
      unsigned: new UnsecuredJWT({ ...claims, iss: app.clientId, aud: issuer() }).encode(),
      'by another key': await (await makeClientKey()).requestObject(app.clientId, claims),
      'for another server': await key.requestObject(app.clientId, { ...claims, aud: 'https://x.example' }),
      'of another app': await key.requestObject(app.clientId, { ...claims, iss: web.clientId }),
      expired: await key.requestObject(app.clientId, { ...claims, exp: 1 }),
      cut: good.slice(0, -9),
    }
    for (const [name, request] of Object.entries(objects)) {
      expect(await errorOf(app, { request }), name).toBe('invalid_request_object')
    }
    expect(await errorOf(app, { request_uri: 'https://agent.example/request' })).toBe(
      'request_uri_not_supported',
    )
    expect(await errorOf(app, { request: good })).not.toBe('invalid_request_object')
  })

  it('is accepted from a native app with registered keys', async () => {
    const key = await makeClientKey()
    await prisma().oAuthClient.update({
      where: { id: cli.clientId },
      data: { metadata: { jwks: key.jwks } },
    })
    const request = await key.requestObject(cli.clientId, {
      redirect_uri: cli.redirectUri,
      response_type: 'code',
      scope: 'openid',
      jti: randomUUID(),
      ...pkce,
    })
    expect((await authorize(owner.browser, cli, { request })).get('code')).toBeTruthy()
  })
})
