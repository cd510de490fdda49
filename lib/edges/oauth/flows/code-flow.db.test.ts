import { once } from 'node:events'
import { connect } from 'node:net'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import {
  authorize,
  authorizeUrl,
  challengeOf,
  newVerifier,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, makeOwner, native } from '@/lib/testing/oauth-world'

const server = await startOAuthServer()

describe('the authorization code flow', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

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
      const response = await requestToken(
        { ...web, secret: undefined },
        { grant_type: 'authorization_code', code, redirect_uri: web.redirectUri },
        { authorization: `Basic ${basic}` },
      )
      expect(response.status).toBe(200)
    })

    it('cannot use a revoked client secret, even for a code that was issued before the revocation', async () => {
      const app = await owner.makeApp()
      const { rows } = await pool().query('SELECT id FROM oauth_client_secrets WHERE client_id = $1', [
        app.clientId,
      ])
      const code = (await authorize(owner.browser, app)).get('code') as string
      await pool().query('DELETE FROM oauth_client_secrets WHERE id = $1', [rows[0].id])
      const { status, body } = await requestToken(app, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
      })
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
      const { status, body } = await requestToken(app, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
      })
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
    const code = async (app: TestApp, params = {}) => {
      const verifier = newVerifier()
      const answer = await authorize(owner.browser, app, {
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        ...params,
      })
      return {
        grant_type: 'authorization_code',
        code: answer.get('code') as string,
        redirect_uri: app.redirectUri,
        code_verifier: verifier,
      }
    }

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

describe('pushed authorization requests', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  const push = async (app: TestApp, params: Record<string, string> = {}) => {
    const response = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: app.clientId,
        ...(app.secret ? { client_secret: app.secret } : {}),
        redirect_uri: app.redirectUri,
        response_type: 'code',
        scope: 'openid',
        state: 'pushed',
        ...params,
      }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const open = (app: TestApp, request_uri: string) => {
    const url = new URL('/oauth/auth', config().BASE_URL)
    url.search = new URLSearchParams({ client_id: app.clientId, request_uri }).toString()
    return owner.browser.follow(url.href)
  }

  it.each(['with its secret', 'with its client_id alone'])('are accepted from a web app %s', async (how) => {
    const app = how.includes('alone') ? { ...web, secret: undefined } : web
    await authorize(owner.browser, web)
    const { status, body } = await push(app)
    expect(status).toBe(201)
    expect(body.request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:/)
    expect(body.expires_in).toBe(60)
    const answer = new URL((await open(web, body.request_uri as string)).headers.get('location') as string)
    expect(answer.searchParams.get('code')).toBeTruthy()
    expect(answer.searchParams.get('state')).toBe('pushed')
    const again = await open(web, body.request_uri as string)
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
