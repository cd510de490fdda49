import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import {
  authorize,
  authorizeWithPkce,
  newVerifier,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOwner, native, type Owner } from '@/lib/testing/oauth-world'
import {
  change,
  type Fields,
  makeTokenRequests,
  type Prepared,
  refreshWith,
  withBody,
  withField,
  withHeaders,
  withoutField,
  withPayload,
} from '@/lib/testing/prepared-request'

const server = await startOAuthServer()
const { owner, web, cli, agent, elliptic, post, code, token, somebodyElses } = await makeTokenRequests(server)
const past = Math.floor(Date.now() / 1000) - 10

/** Expires a code or a refresh token. */
const expire = (credential: string) =>
  pool().query(`UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE hash = $1`, [
    hashCredential(credential),
  ])

/**
 * Every kind of accepted request with a code or a refresh token (RFC 6749 sections 4.1.3 and 6), and every
 * kind of rejected one (RFC 6749 section 5.2, RFC 7636 section 4.6).
 */
describe('the token endpoint', () => {
  /** The expected response. Omitted properties have the value in `usual`. */
  type Granted = {
    scope?: string
    /** The claims of the ID token without its times, issuer, and audience; undefined without an ID token. */
    says?: string[] | undefined
    alg?: string
    refreshes?: boolean
    consumed?: boolean
  }

  const accepted: Record<string, [() => Promise<Prepared>, Granted]> = {
    'a refresh token': [() => token(cli), {}],
    'a rotated refresh token': [
      async () => {
        const first = await token(cli)
        return refreshWith(cli, String((await refresh(cli, first.credential as string)).body.refresh_token))
      },
      {},
    ],
    'a refresh token of a chain that expires in an hour': [
      async () =>
        withPayload(await token(cli), { iiat: Math.floor(Date.now() / 1000) + 3600 - 730 * 86_400 }),
      {},
    ],
    'a refresh token of a sign-in with a nonce': [
      () => token(cli, { nonce: 'n-0S6_WzA2Mj' }),
      { says: ['email', 'email_verified', 'nonce'] },
    ],
    'a refresh token of a self-registered app': [() => token(agent), {}],
    'a refresh token of a reduced authorization': [
      () =>
        somebodyElses(
          (_, app) =>
            `UPDATE authorizations SET scopes = '{openid,offline_access}' WHERE client_id = '${app}'`,
        ),
      { scope: 'openid offline_access', says: [] },
    ],
    'fields in another order': [
      async () => {
        const { fields, credential } = await token(cli)
        return {
          fields: Object.fromEntries(Object.entries(fields).reverse()),
          credential: String(credential),
        }
      },
      {},
    ],
    'a code': [() => code(cli), {}],
    'a code with a nonce': [
      () => code(cli, { nonce: 'n-0S6_WzA2Mj' }),
      { says: ['email', 'email_verified', 'nonce'] },
    ],
    'a code without offline access': [
      () => code(cli, { scope: 'openid email profile' }),
      { scope: 'openid email profile', says: ['email', 'email_verified', 'name'], refreshes: false },
    ],
    'a code of a self-registered app': [() => code(agent), {}],
    'a code of an app that registered ES256': [() => code(elliptic), { alg: 'ES256' }],
    'a refresh token of an app that registered ES256': [() => token(elliptic), { alg: 'ES256' }],
    'an authorization that lost openid': [
      () =>
        somebodyElses(
          (_, app) => `UPDATE authorizations SET scopes = '{offline_access}' WHERE client_id = '${app}'`,
        ),
      { scope: 'offline_access', says: undefined },
    ],
    'a confidential client': [
      () => withField(token(web), { client_secret: web.secret as string }),
      { consumed: false },
    ],
    'a refresh token that was used just before': [() => used(token(cli)), {}],
    'a refresh token that was issued in the future': [
      async () => withPayload(await token(cli), { iat: past + 1000 }),
      {},
    ],
    'a refresh token without openid': [
      async () => withPayload(await token(cli), { scope: 'email' }),
      { scope: 'email', says: undefined },
    ],
    'a refresh token for a resource': [
      async () => withPayload(await token(cli), { resource: [String(process.env.BASE_URL)] }),
      {},
    ],
    'a refresh token with claims requested by name': [
      async () => withPayload(await token(cli), { claims: { id_token: { auth_time: { essential: true } } } }),
      { says: ['auth_time', 'email', 'email_verified'] },
    ],
    'a request for fewer scopes': [
      () => withField(token(cli), { scope: 'openid' }),
      { scope: 'openid', says: [] },
    ],
    'a request from a page of the same app': [
      () => withHeaders(token(cli), { origin: new URL(cli.redirectUri).origin }),
      {},
    ],
    'a code with claims requested by name': [
      () => code(cli, { claims: JSON.stringify({ id_token: { email: null } }) }),
      {},
    ],
    'a code with max_age': [
      () => code(cli, { max_age: '600' }),
      { says: ['email', 'email_verified', 'auth_time'] },
    ],
    'a code for a resource': [() => code(cli, { resource: String(process.env.BASE_URL) }), {}],
  }

  it.each(Object.entries(accepted))('accepts %s', async (_name, [prepare, granted]) => {
    const { scope, says, alg, refreshes, consumed } = { ...usual, ...granted }
    const prepared = await prepare()
    const answer = await post(prepared)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'access-control-expose-headers': 'DPoP-Nonce,WWW-Authenticate',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
    })
    const { access_token, refresh_token, id_token, ...rest } = (await answer.json()) as Fields
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope })
    expect(access_token).toMatch(/^lk_at_/)
    expect(refresh_token !== undefined).toBe(refreshes)
    expect(id_token && said(id_token)).toEqual(says && { alg, claims: [...everySays, ...says].sort() })

    const before = await rowOf(prepared.credential)
    expect(before.consumed).toBe(consumed)
    // A confidential client keeps its refresh token.
    for (const issued of [access_token, ...(refreshes && consumed ? [refresh_token] : [])]) {
      const { family, authorization_id } = before
      expect(await rowOf(issued)).toMatchObject({ family, authorization_id, consumed: false })
    }
  })

  it('returns the same response if a client repeats its request', async () => {
    const prepared = await token(cli)
    const first = await (await post(prepared)).json()
    expect(await (await post(prepared)).json()).toEqual(first)
  })

  const usual = {
    scope: 'openid offline_access email',
    // The ID token of a refresh has the same claims as that of the sign-in.
    says: ['email', 'email_verified'],
    alg: 'RS256',
    refreshes: true,
    consumed: true,
  }

  const everySays = ['aud', 'exp', 'iat', 'iss', 'sub']

  const said = (idToken: string) => ({
    alg: decodeProtectedHeader(idToken).alg,
    claims: Object.keys(decodeJwt(idToken)).sort(),
  })

  async function rowOf(credential: string | undefined) {
    const { rows } = await pool().query(
      'SELECT family, authorization_id, consumed_at IS NOT NULL AS consumed FROM oauth_artifacts WHERE hash = $1',
      [hashCredential(String(credential))],
    )
    return rows[0]
  }

  /** Sends a request once and returns it. */
  async function used(made: Promise<Prepared>): Promise<Prepared> {
    const prepared = await made
    await (await post(prepared)).text()
    return prepared
  }

  const unknown = (what: string) => `the ${what} is unknown: it was revoked, has expired, or never existed`

  /** Each request must return the expected description and have no side effects. */
  const rejected: Record<
    string,
    [() => Promise<Prepared>, error: string, description: string, more?: object]
  > = {
    'an unknown refresh token': [
      async () => refreshWith(cli, 'lk_rt_nothing'),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'an unknown client': [
      async () => withField(token(cli), { client_id: 'unknown' }),
      'invalid_client',
      'client authentication failed',
    ],
    'a deleted client': [
      () => somebodyElses((_, app) => `DELETE FROM oauth_clients WHERE id = '${app}'`),
      'invalid_client',
      'client authentication failed',
    ],
    'a missing client_id': [
      () => withoutField(token(cli), 'client_id'),
      'invalid_request',
      'client_id is missing: the request must identify the app',
    ],
    'another client’s refresh token': [
      () => withField(token(cli), { client_id: agent.clientId }),
      'invalid_grant',
      'the code or token was issued to another client',
    ],
    'a confidential client without its secret': [
      async () => refreshWith(web, 'lk_rt_nothing'),
      'invalid_client',
      'client authentication failed',
    ],
    'a code sent as a refresh token': [
      async () => refreshWith(cli, (await code(cli)).credential),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'a refresh token sent as a code': [
      async () => withField(code(cli), { code: (await token(cli)).credential as string }),
      'invalid_grant',
      unknown('authorization code'),
    ],
    'a refresh token of an expired rotation chain': [
      async () => withPayload(await token(cli), { iiat: past - 730 * 86_400 }),
      'invalid_grant',
      'the refresh token has expired: start a new sign-in',
    ],
    'an expired refresh token': [
      async () => change(await token(cli), `expires_at = now() - interval '1 second'`),
      'invalid_grant',
      'the refresh token has expired: start a new sign-in',
    ],
    'a suspended user': [
      () => somebodyElses((user) => `UPDATE users SET suspended_at = now() WHERE id = '${user}'`),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'a disabled app': [
      () => somebodyElses((_, app) => `UPDATE oauth_clients SET disabled_at = now() WHERE id = '${app}'`),
      'invalid_client',
      'client authentication failed',
    ],
    'a revoked authorization': [
      () => somebodyElses((_, app) => `DELETE FROM authorizations WHERE client_id = '${app}'`),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'a refresh token whose user does not match its authorization': [
      async () => withPayload(await token(cli), { accountId: '00000000-0000-7000-8000-000000000000' }),
      'invalid_grant',
      'grant request is invalid',
    ],
    'a refresh token that is bound to a key but sent without a proof': [
      async () => withPayload(await token(cli), { jkt: 'thumbprint' }),
      'invalid_grant',
      'the DPoP proof is missing or does not match the key that the refresh token is bound to',
    ],
    'additional scopes': [
      () => withField(token(cli), { scope: 'openid profile' }),
      'invalid_scope',
      'refresh token missing requested scope',
      { scope: 'profile' },
    ],
    'a resource of another service': [
      () => withField(token(cli), { resource: 'https://elsewhere.example' }),
      'invalid_target',
      'resource indicator is missing, or unknown',
    ],
    'a missing refresh token': [
      () => withoutField(token(cli), 'refresh_token'),
      'invalid_request',
      "missing required parameter 'refresh_token'",
    ],
    'an empty refresh token': [
      () => withField(token(cli), { refresh_token: '' }),
      'invalid_request',
      "missing required parameter 'refresh_token'",
    ],
    'a refresh token that contains a space': [
      () => withField(token(cli), { refresh_token: 'lk rt' }),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'a refresh token that contains NUL': [
      () => withField(token(cli), { refresh_token: 'lk\0rt' }),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'a repeated field': [
      () => withBody(token(cli), (raw) => `${raw}&client_id=${cli.clientId}`),
      'invalid_request',
      "'client_id' parameter must not be provided twice",
    ],
    'a malformed percent escape': [
      () => withBody(token(cli), (raw) => `${raw}%zz`),
      'invalid_grant',
      unknown('refresh token'),
    ],
    'an unknown grant type': [
      () => withField(token(cli), { grant_type: 'password' }),
      'unsupported_grant_type',
      'unsupported grant_type requested',
    ],
    'a missing grant type': [
      () => withoutField(token(cli), 'grant_type'),
      'invalid_request',
      "missing required parameter 'grant_type'",
    ],
    JSON: [
      async () => ({
        ...(await withHeaders(token(cli), { 'content-type': 'application/json' })),
        raw: '{}',
      }),
      'invalid_request',
      'only application/x-www-form-urlencoded content-type bodies are supported on POST /token',
    ],
    'an Authorization header for another client': [
      () => withHeaders(token(cli), { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }),
      'invalid_request',
      'client_id mismatch',
    ],
    'a request from a page of another site': [
      () => withHeaders(token(cli), { origin: 'https://elsewhere.example' }),
      'invalid_request',
      `origin https://elsewhere.example not allowed for client: ${cli.clientId}`,
    ],
    'an invalid proof': [
      () => withHeaders(token(cli), { dpop: 'none' }),
      'invalid_dpop_proof',
      'invalid DPoP key binding',
    ],
    'an expired code': [
      async () => change(await code(cli), `expires_at = now() - interval '1 second'`),
      'invalid_grant',
      'the authorization code has expired: codes are valid for 60 seconds',
    ],
    'a different verifier': [
      () => withField(code(cli), { code_verifier: newVerifier() }),
      'invalid_grant',
      'code_verifier does not match the code_challenge of the authorization request',
    ],
    'a short verifier': [
      () => withField(code(cli), { code_verifier: 'short' }),
      'invalid_request',
      'code_verifier must be a string with a minimum length of 43 characters',
    ],
    'a missing verifier': [
      () => withoutField(code(cli), 'code_verifier'),
      'invalid_grant',
      'code_verifier is missing: the authorization request had a code_challenge',
    ],
    'a code without a challenge': [
      async () => withPayload(await code(cli), { codeChallenge: '' }),
      'invalid_grant',
      'code_verifier does not match the code_challenge of the authorization request',
    ],
    'a different redirect URI': [
      () => withField(code(cli), { redirect_uri: 'http://127.0.0.1:7778/callback' }),
      'invalid_grant',
      'redirect_uri does not match the authorization request',
    ],
    'a missing redirect URI': [
      () => withoutField(code(cli), 'redirect_uri'),
      'invalid_request',
      "missing required parameter 'redirect_uri'",
    ],
    'a code that is bound to a key but sent without a proof': [
      async () => withPayload(await code(cli), { dpopJkt: 'thumbprint' }),
      'invalid_grant',
      'the DPoP proof is missing: the authorization request was bound to a DPoP key',
    ],
  }

  it.each(Object.entries(rejected))(
    'rejects %s',
    async (_name, [prepare, error, error_description, more]) => {
      const prepared = await prepare()
      const before = await rowsWith(prepared.credential)
      const answer = await post(prepared)
      expect(answer.status).toBe(400)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ error, error_description, ...more })
      expect(await rowsWith(prepared.credential)).toEqual(before)
    },
  )

  it('revokes the tokens issued for a code when the code is used again', async () => {
    const prepared = await code(cli)
    await (await post(prepared)).text()
    expect(await rowsWith(prepared.credential)).toHaveLength(3)
    const answer = await post(prepared)
    expect(await answer.json()).toEqual({
      error: 'invalid_grant',
      error_description: expect.stringContaining('all tokens issued for it were revoked'),
    })
    expect(await rowsWith(prepared.credential)).toEqual([])
  })

  /** Returns all rows of the sign-in that a credential belongs to. */
  async function rowsWith(credential: string | undefined): Promise<object[]> {
    const { rows } = await pool().query(
      'SELECT * FROM oauth_artifacts WHERE family = (SELECT family FROM oauth_artifacts WHERE hash = $1) ORDER BY hash',
      [hashCredential(credential ?? '')],
    )
    return rows
  }
})

describe('POST /oauth/token', () => {
  const newCode = (app: TestApp) => authorizeWithPkce(owner.browser, app)
  const errorOf = async (app: TestApp, fields: Record<string, string>, headers = {}) => {
    const { status, body } = await requestToken(app, fields, headers)
    return [status, body.error]
  }
  const without = (fields: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

  it('requires the PKCE verifier of the authorization request', async () => {
    const fields = await newCode(cli)
    expect(await errorOf(cli, { ...fields, code_verifier: newVerifier() })).toEqual([400, 'invalid_grant'])
    expect(await errorOf(cli, without(fields, 'code_verifier'))).toEqual([400, 'invalid_grant'])
    expect((await requestToken(cli, fields)).status).toBe(200)
  })

  it('rejects a verifier for a code without a challenge', async () => {
    const { code_verifier, ...fields } = await newCode(web)
    const code = (await authorize(owner.browser, web)).get('code') as string
    expect(await errorOf(web, { ...fields, code, code_verifier })).toEqual([400, 'invalid_grant'])
    expect((await requestToken(web, { ...fields, code })).status).toBe(200)
  })

  it('requires the redirect URI of the authorization request', async () => {
    const fields = await newCode(web)
    const changed = { ...fields, redirect_uri: 'https://app.example.test/other' }
    expect(await errorOf(web, changed)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(web, without(fields, 'redirect_uri'))).toEqual([400, 'invalid_request'])
  })

  it('rejects another client’s code, an expired code, and an unknown code', async () => {
    const fields = await newCode(cli)
    const other = await owner.makeApp(native)
    expect(await errorOf(other, fields)).toEqual([400, 'invalid_grant'])
    await expire(fields.code)
    expect(await errorOf(cli, fields)).toEqual([400, 'invalid_grant'])
    expect(await errorOf(cli, { ...fields, code: 'made-up' })).toEqual([400, 'invalid_grant'])
  })

  describe('the error description', () => {
    const described = async (app: TestApp, fields: Record<string, string>) => {
      const { status, body } = await requestToken(app, fields)
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
      return body.error_description
    }
    const newRefreshToken = async (user: Owner) => {
      const { body } = await signInToApp(user.browser, cli, offline)
      return { grant_type: 'refresh_token', refresh_token: body.refresh_token as string }
    }

    it('explains why a code is rejected', async () => {
      for (const app of [web, cli]) {
        const fields = await newCode(app)
        const elsewhere = { ...fields, redirect_uri: 'https://app.example.test/other' }
        expect(await described(app, elsewhere)).toMatch(/^redirect_uri does not match/)
        expect(await described(app, { ...fields, code_verifier: newVerifier() })).toMatch(
          /^code_verifier does not/,
        )
        expect(await described(app, without(fields, 'code_verifier'))).toMatch(/^code_verifier is missing/)
        expect(await described(await owner.makeApp(native), fields)).toMatch(/issued to another client/)
        expect((await requestToken(app, fields)).status).toBe(200)
        expect(await described(app, fields)).toMatch(/was already used/)
        const late = await newCode(app)
        await expire(late.code)
        expect(await described(app, late)).toMatch(/has expired/)
      }
    })

    it('explains why a refresh token is rejected', async () => {
      const user = await makeOwner()
      const fields = await newRefreshToken(user)
      expect(await described(await owner.makeApp(native), fields)).toMatch(/issued to another client/)
      await expire(fields.refresh_token)
      expect(await described(cli, fields)).toMatch(/has expired/)
      const used = await newRefreshToken(user)
      await requestToken(cli, used)
      await pool().query(
        `UPDATE oauth_artifacts SET consumed_at = now() - interval '31 seconds' WHERE hash = $1`,
        [hashCredential(used.refresh_token)],
      )
      expect(await described(cli, used)).toMatch(/was already used, so the authorization was revoked/)
      const revoked = await newRefreshToken(user)
      await pool().query('DELETE FROM authorizations WHERE user_id = $1', [user.user.id])
      expect(await described(cli, revoked)).toMatch(/was revoked/)
    })

    it('does not reveal why a credential is unknown, even if its user is suspended', async () => {
      const unknown = await described(cli, { grant_type: 'refresh_token', refresh_token: 'lk_rt_nothing' })
      expect(unknown).toMatch(/is unknown/)
      const user = await makeOwner()
      const fields = await newRefreshToken(user)
      await pool().query('UPDATE users SET suspended_at = now() WHERE id = $1', [user.user.id])
      expect(await described(cli, fields)).toBe(unknown)
    })
  })

  it('rejects unknown and missing grant types', async () => {
    expect(await errorOf(cli, { grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    expect(await errorOf(cli, { grant_type: 'client_credentials' })).toEqual([400, 'unsupported_grant_type'])
    expect(await errorOf(cli, {})).toEqual([400, 'invalid_request'])
  })

  it('answers failed client authentication with 400, or with 401 if the client used the Authorization header', async () => {
    const fields = await newCode(web)
    expect(await errorOf({ ...web, secret: 'wrong' }, fields)).toEqual([400, 'invalid_client'])
    const basic = { authorization: `Basic ${Buffer.from(`${web.clientId}:wrong`).toString('base64')}` }
    const answer = await requestToken({ ...web, secret: undefined }, fields, basic)
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  it('rejects a native app that sends a secret', async () => {
    const fields = await newCode(cli)
    expect(await errorOf({ ...cli, secret: 'anything' }, fields)).toEqual([400, 'invalid_client'])
    const basic = { authorization: `Basic ${Buffer.from(`${cli.clientId}:anything`).toString('base64')}` }
    expect(await errorOf(cli, fields, basic)).toEqual([401, 'invalid_client'])
    expect((await requestToken(cli, fields)).status).toBe(200)
  })

  it('answers with JSON that is not cacheable', async () => {
    const { headers } = await requestToken(cli, { grant_type: 'refresh_token', refresh_token: 'x' })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
