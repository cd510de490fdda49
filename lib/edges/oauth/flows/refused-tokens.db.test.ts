import { expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { newVerifier } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import {
  change,
  makeTokenRequests,
  type Prepared,
  refreshWith,
  withBody,
  withField,
  withHeaders,
  withoutField,
  withPayload,
} from '@/lib/testing/prepared-request'

/**
 * Every kind of rejected token request (RFC 6749 section 5.2, RFC 7636 section 4.6). Each must return the
 * expected description and have no side effects.
 */
const server = await startOAuthServer()
const { web, cli, agent, post, code, token, somebodyElses } = await makeTokenRequests(server)
const past = Math.floor(Date.now() / 1000) - 10
const unknown = (what: string) => `the ${what} is unknown: it was revoked, has expired, or never existed`

const cases: Record<string, [() => Promise<Prepared>, error: string, description: string, more?: object]> = {
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

it.each(Object.entries(cases))(
  'the token endpoint rejects %s',
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

it('the token endpoint revokes the tokens issued for a code when the code is used again', async () => {
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
