import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, it } from 'vitest'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { refresh } from '@/lib/testing/oauth-flow'
import {
  type Fields,
  type Prepared,
  presenting,
  saying,
  startTokenRequests,
  withField,
  withHeaders,
} from '@/lib/testing/prepared-request'

/** Every kind of request with a code or a refresh token that is granted (RFC 6749 sections 4.1.3 and 6), and what it gets. */
const { web, cli, agent, elliptic, post, code, token, somebodyElses } = await startTokenRequests()
const past = Math.floor(Date.now() / 1000) - 10

/** What is not said is what nearly all get. */
type Granted = {
  scope?: string
  /** What the id_token says beside when, by whom and for whom it was made; undefined where there is none. */
  says?: string[] | undefined
  alg?: string
  refreshes?: boolean
  consumed?: boolean
}

const cases: Record<string, [() => Promise<Prepared>, Granted]> = {
  'a refresh token': [() => token(cli), {}],
  'a refresh token that came of another': [
    async () => {
      const first = await token(cli)
      return presenting(cli, String((await refresh(cli, first.credential as string)).body.refresh_token))
    },
    {},
  ],
  'a refresh token whose line ends in an hour': [
    async () => saying(await token(cli), { iiat: Math.floor(Date.now() / 1000) + 3600 - 730 * 86_400 }),
    {},
  ],
  'a refresh token of a sign-in with a nonce': [
    () => token(cli, { nonce: 'n-0S6_WzA2Mj' }),
    { says: ['email', 'email_verified', 'nonce'] },
  ],
  'a refresh token of a self-registered app': [() => token(agent), {}],
  'a refresh token whose authorization has become narrower': [
    () =>
      somebodyElses(
        (_, app) => `UPDATE authorizations SET scopes = '{openid,offline_access}' WHERE client_id = '${app}'`,
      ),
    { scope: 'openid offline_access', says: [] },
  ],
  'fields in another order': [
    async () => {
      const { fields, credential } = await token(cli)
      return { fields: Object.fromEntries(Object.entries(fields).reverse()), credential: String(credential) }
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
  'a code of an app that chose ES256': [() => code(elliptic), { alg: 'ES256' }],
  'a refresh token of an app that chose ES256': [() => token(elliptic), { alg: 'ES256' }],
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
  'a refresh token used a moment ago': [() => used(token(cli)), {}],
  'a refresh token of the future': [async () => saying(await token(cli), { iat: past + 1000 }), {}],
  'a refresh token without openid': [
    async () => saying(await token(cli), { scope: 'email' }),
    { scope: 'email', says: undefined },
  ],
  'a refresh token for a resource': [
    async () => saying(await token(cli), { resource: [String(process.env.BASE_URL)] }),
    {},
  ],
  'a refresh token with claims by name': [
    async () => saying(await token(cli), { claims: { id_token: { auth_time: { essential: true } } } }),
    { says: ['auth_time', 'email', 'email_verified'] },
  ],
  'a scope': [() => withField(token(cli), { scope: 'openid' }), { scope: 'openid', says: [] }],
  'a page of the app’s own': [() => withHeaders(token(cli), { origin: new URL(cli.redirectUri).origin }), {}],
  'a code with claims by name': [
    () => code(cli, { claims: JSON.stringify({ id_token: { email: null } }) }),
    {},
  ],
  'a code with max_age': [
    () => code(cli, { max_age: '600' }),
    { says: ['email', 'email_verified', 'auth_time'] },
  ],
  'a code for a resource': [() => code(cli, { resource: String(process.env.BASE_URL) }), {}],
}

it.each(Object.entries(cases))('grants %s', async (_name, [prepare, granted]) => {
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
  // A confidential client keeps the refresh token it has.
  for (const issued of [access_token, ...(refreshes && consumed ? [refresh_token] : [])]) {
    const { family, authorization_id } = before
    expect(await rowOf(issued)).toMatchObject({ family, authorization_id, consumed: false })
  }
})

it('repeats its answer to whoever lost it', async () => {
  const prepared = await token(cli)
  const first = await (await post(prepared)).json()
  expect(await (await post(prepared)).json()).toEqual(first)
})

const usual = {
  scope: 'openid offline_access email',
  // The ID token of a refresh has the claims that the one of the sign-in has.
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

/** The same once it has been made. */
async function used(made: Promise<Prepared>): Promise<Prepared> {
  const prepared = await made
  await (await post(prepared)).text()
  return prepared
}
