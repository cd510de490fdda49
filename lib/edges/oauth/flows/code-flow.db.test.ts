import { once } from 'node:events'
import { connect } from 'node:net'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { pushRequest } from '@/lib/testing/app-requests'
import {
  authorize,
  authorizeUrl,
  authorizeWithPkce,
  challengeOf,
  codeGrant,
  newPkce,
  newVerifier,
  offline,
  pushedUrl,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web, cli } = await startOAuthWorld()

describe('the authorization code flow', () => {
  describe('a sign-in', () => {
    it('gives a web app an access token, and only the claims of the granted scopes', async () => {
      const { status, body } = await signInToApp(owner.browser, web, { scope: 'openid email profile' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'openid email profile',
        access_token: expect.stringMatching(/^lk_at_/),
      })
      expect(body.refresh_token).toBeUndefined()
      const { id, email, name } = owner.user
      expect(await userinfo(body.access_token as string)).toEqual({
        status: 200,
        body: { sub: id, email, email_verified: true, name },
      })
      const emailOnly = await signInToApp(owner.browser, web, { scope: 'openid email' })
      expect((await userinfo(emailOnly.body.access_token as string)).body).not.toHaveProperty('name')
    })

    it('returns a signed ID token that identifies the user', async () => {
      const { body } = await signInToApp(owner.browser, web, { nonce: 'n-1' })
      const jwks = createRemoteJWKSet(new URL('/oauth/jwks', config().BASE_URL))
      const { payload } = await jwtVerify(body.id_token as string, jwks, {
        issuer: `${config().BASE_URL}/oauth`,
        audience: web.clientId,
      })
      expect(decodeProtectedHeader(body.id_token as string).alg).toBe('RS256')
      expect(payload).toMatchObject({ sub: owner.user.id, nonce: 'n-1' })
    })

    it.each(['ES256', 'EdDSA'])(
      'signs the ID token with %s if the app registered that algorithm',
      async (alg) => {
        for (const kind of [{}, native]) {
          const app = await owner.makeApp({ ...kind, metadata: { id_token_signed_response_alg: alg } })
          const { body } = await signInToApp(owner.browser, app)
          expect(decodeProtectedHeader(body.id_token as string).alg).toBe(alg)
        }
      },
    )

    it('redirects to the app with status 302, the state, and the issuer', async () => {
      const answer = await authorize(owner.browser, web, { state: 'a b&c' })
      expect(answer.get('state')).toBe('a b&c')
      expect(answer.get('iss')).toBe(`${config().BASE_URL}/oauth`)
      const again = await owner.browser.request(authorizeUrl(web))
      expect(again.status).toBe(302)
      expect(again.headers.get('location')).toMatch(/^https:\/\/app\.example\.test\/callback\?code=/)
    })

    it('issues a refresh token only for offline_access with prompt=consent', async () => {
      const without = await signInToApp(owner.browser, web, { scope: 'openid offline_access' })
      expect(without.body.refresh_token).toBeUndefined()
      expect(without.body.scope).toBe('openid')
      const both = await signInToApp(owner.browser, web, offline)
      expect(both.body.refresh_token).toMatch(/^lk_rt_/)
    })

    it('can use the client secret with HTTP Basic authentication', async () => {
      const code = (await authorize(owner.browser, web)).get('code') as string
      const basic = Buffer.from(`${web.clientId}:${web.secret}`).toString('base64')
      const response = await requestToken({ ...web, secret: undefined }, codeGrant(web, code), {
        authorization: `Basic ${basic}`,
      })
      expect(response.status).toBe(200)
    })

    it('cannot use a revoked client secret, even for a code that was issued before the revocation', async () => {
      const app = await owner.makeApp()
      const { rows } = await pool().query('SELECT id FROM oauth_client_secrets WHERE client_id = $1', [
        app.clientId,
      ])
      const code = (await authorize(owner.browser, app)).get('code') as string
      await pool().query('DELETE FROM oauth_client_secrets WHERE id = $1', [rows[0].id])
      const { status, body } = await requestToken(app, codeGrant(app, code))
      expect([status, body.error]).toEqual([400, 'invalid_client'])
    })

    it('can use a client secret until the secret expires', async () => {
      const app = await owner.makeApp()
      const endIn = (interval: string) =>
        pool().query(
          'UPDATE oauth_client_secrets SET expires_at = now() + $2::interval WHERE client_id = $1',
          [app.clientId, interval],
        )
      await endIn('1 hour')
      expect((await signInToApp(owner.browser, app)).status).toBe(200)
      const code = (await authorize(owner.browser, app)).get('code') as string
      await endIn('-1 second')
      const { status, body } = await requestToken(app, codeGrant(app, code))
      expect([status, body.error]).toEqual([400, 'invalid_client'])
    })
  })

  /**
   * Sends the headers of a form request, and its body later on demand. When this function returns, the server
   * has received the headers.
   */
  async function startRequest(path: string, fields: Record<string, string>) {
    const { hostname, port, host } = new URL(config().BASE_URL)
    const body = new URLSearchParams(fields).toString()
    const socket = connect(Number(port), hostname)
    socket.setEncoding('utf8')
    const next = () => new Promise<string>((resolve) => socket.once('data', resolve))
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    expect(await next()).toMatch(/^HTTP\/1\.1 100 /)
    return {
      finish: async () => {
        let answer = ''
        socket.on('data', (text) => {
          answer += text
        })
        socket.write(body)
        await once(socket, 'end')
        return answer
      },
    }
  }

  describe('the server', () => {
    const code = (app: TestApp, params = {}) => authorizeWithPkce(owner.browser, app, params)

    it('redeems a code only once for parallel requests, and keeps the issued token valid', async () => {
      const fields = await code(cli, offline)
      const answers = await Promise.all(Array.from({ length: 20 }, () => requestToken(cli, fields)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.every(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toBe(true)
      const winner = answers.find(({ status }) => status === 200)
      expect((await userinfo(winner?.body.access_token as string)).status).toBe(200)
    })

    it('keeps the issued token valid if another request with the code arrives before the redemption but finishes later', async () => {
      const fields = await code(cli)
      const slow = await startRequest('/oauth/token', { client_id: cli.clientId, ...fields })
      const winner = await requestToken(cli, fields)
      expect(winner.status).toBe(200)
      expect(await slow.finish()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"invalid_grant"/)
      expect((await userinfo(winner.body.access_token as string)).status).toBe(200)
    })

    it('responds to a reused code by revoking only the tokens that were issued for it', async () => {
      const other = await signInToApp(owner.browser, cli)
      const fields = await code(cli)
      const first = await requestToken(cli, fields)
      expect((await userinfo(first.body.access_token as string)).status).toBe(200)
      const again = await requestToken(cli, fields)
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      expect((await userinfo(first.body.access_token as string)).status).toBe(401)
      expect((await userinfo(other.body.access_token as string)).status).toBe(200)
    })

    it('stores no credential in plain text', async () => {
      const { body } = await signInToApp(owner.browser, web, { ...offline, scope: `${offline.scope} email` })
      const rotated = await signInToApp(owner.browser, cli, offline)
      const next = await refresh(cli, rotated.body.refresh_token as string)
      const started = await owner.browser.request(authorizeUrl(web, { prompt: 'consent' }))
      const uid = new URL(started.headers.get('location') as string, config().BASE_URL).pathname.split('/')[2]
      const plain = [
        ...[body, rotated.body, next.body].flatMap((tokens) => [tokens.access_token, tokens.refresh_token]),
        web.secret,
        uid,
      ].filter((value) => value !== undefined)
      expect(plain.length).toBeGreaterThan(6)
      const { rows: columns } = await pool().query(
        `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
      )
      for (const { table_name, column_name } of columns) {
        const { rows } = await pool().query(
          `SELECT 1 FROM "${table_name}" t, unnest($1::text[]) p
          WHERE position(p IN t."${column_name}"::text) > 0
             OR position(encode(convert_to(p, 'UTF8'), 'hex') IN t."${column_name}"::text) > 0`,
          [plain],
        )
        expect(rows, `${table_name}.${column_name}`).toHaveLength(0)
      }
    })

    it('stores one authorization per user and app', async () => {
      await signInToApp(owner.browser, cli)
      await signInToApp((await makeOwner()).browser, cli)
      const rows = await prisma().authorization.findMany({ where: { clientId: cli.clientId } })
      expect(new Set(rows.map((row) => row.userId)).size).toBe(rows.length)
    })
  })
})

describe('pushed authorization requests', () => {
  const push = (app: TestApp, params: Record<string, string> = {}) =>
    pushRequest(app, { state: 'pushed', ...params })
  const open = (app: TestApp, requestUri = '') => owner.browser.follow(pushedUrl(app, requestUri))

  it.each(['with its secret', 'with its client_id alone'])('are accepted from a web app %s', async (how) => {
    const app = how.includes('alone') ? { ...web, secret: undefined } : web
    await authorize(owner.browser, web)
    const { status, body } = await push(app)
    expect(status).toBe(201)
    expect(body.request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:/)
    expect(body.expires_in).toBe(60)
    const answer = new URL((await open(web, body.request_uri)).headers.get('location') as string)
    expect(answer.searchParams.get('code')).toBeTruthy()
    expect(answer.searchParams.get('state')).toBe('pushed')
    const again = await open(web, body.request_uri)
    expect(again.headers.get('location') ?? (await again.text())).toMatch(/invalid_request_uri/)
  })

  it('are rejected if the credentials are wrong', async () => {
    const { status, body } = await push({ ...web, secret: 'wrong' })
    expect([status, body.error]).toEqual([400, 'invalid_client'])
    expect((await push({ ...cli, secret: 'any' })).body.error).toBe('invalid_client')
  })

  it('are validated like other authorization requests', async () => {
    expect((await push(cli)).body.error).toBe('invalid_request')
    expect((await push(web, { redirect_uri: 'https://evil.example/' })).body.error).toBe('invalid_request')
    expect((await push(web, { scope: 'email' })).body.error).toBe('invalid_scope')
    expect((await push(web, { scope: 'openid,email' })).body.error_description).toContain('not commas')
    expect((await push(web, { scope: ' openid  email ' })).status).toBe(201)
  })

  it('can be required for an app, which must authenticate to send them', async () => {
    const app = await owner.makeApp()
    await prisma().oAuthClient.update({
      where: { id: app.clientId },
      data: { requirePushedAuthorization: true },
    })
    const direct = new URL((await owner.browser.request(authorizeUrl(app))).headers.get('location') as string)
    expect(direct.searchParams.get('error')).toBe('invalid_request')
    expect((await push({ ...app, secret: undefined })).body.error).toBe('invalid_client')
    expect((await push(app)).status).toBe(201)
  })
})

describe('authorization requests', () => {
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
      const exchange = { ...codeGrant(web, code), color: 'red' }
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
      owner.browser.request(authorizeUrl(app, { redirect_uri, ...newPkce().pkce }))

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
        const { body } = await requestToken(web, { ...codeGrant(web, code), resource })
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
