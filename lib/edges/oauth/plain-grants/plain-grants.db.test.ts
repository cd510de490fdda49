import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { startEngineAlone, watchEngine } from '@/lib/testing/both-ways'
import { authorize, challengeOf, newVerifier, refresh, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, native, type Owner, startOAuthWorld } from '@/lib/testing/oauth-world'
import {
  change,
  copyOf,
  type Fields,
  type Prepared,
  saying,
  withField,
  withHeaders,
  without,
  written,
} from '@/lib/testing/prepared-request'
import { described, rowsOf } from '@/lib/testing/token-outcome'

/**
 * The plain grants beside the engine: every request is made twice, of the product and of the engine alone, each with a
 * credential of its own. Answers, headers and stored rows must be the same.
 */
const { server, owner, web, cli } = await startOAuthWorld()
const engineOnly = await startEngineAlone()
const registered = await server.fetch('/oauth/register', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ redirect_uris: [cli.redirectUri], token_endpoint_auth_method: 'none' }),
})
const { client_id } = (await registered.json()) as { client_id: string }
const elliptic = await owner.makeApp({ ...native, metadata: { id_token_signed_response_alg: 'ES256' } })
const agent = { clientId: client_id, redirectUri: cli.redirectUri }

const asked = { scope: 'openid offline_access email', prompt: 'consent' }

/** One sign-in of each kind; requests are made with copies of what it left, because a sign-in takes many requests. */
type SignIn = { code: string; refreshToken: string | undefined }
const signIns = new Map<string, Promise<SignIn>>()
const verifier = newVerifier()

async function signIn(
  app: TestApp,
  params: Record<string, string | undefined>,
  person: Owner,
): Promise<SignIn> {
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const code = (await authorize(person.browser, app, { ...asked, ...pkce, ...params })).get('code') as string
  const { fields } = redeeming(app, code)
  const copied = await copyOf(code, 'authorizationCode')
  const answer = await post({ fields: { ...fields, code: copied } }, engineOnly)
  const { refresh_token } = (await answer.json()) as { refresh_token?: string }
  return { code, refreshToken: refresh_token }
}

function signedIn(app: TestApp, params: Record<string, string | undefined>, person = owner) {
  const name = JSON.stringify([app.clientId, params])
  const made = signIns.get(name) ?? signIn(app, params, person)
  signIns.set(name, made)
  return made
}

const redeeming = (app: TestApp, code: string) => {
  const redeemed = { code, redirect_uri: app.redirectUri, code_verifier: verifier }
  const fields = { grant_type: 'authorization_code', client_id: app.clientId, ...redeemed }
  return { fields: app.secret ? { ...fields, client_secret: app.secret } : fields, credential: code }
}

const code = async (app: TestApp, params: Record<string, string | undefined> = {}) =>
  redeeming(app, await copyOf((await signedIn(app, params)).code, 'authorizationCode'))

const post = ({ fields, headers, path, raw }: Prepared, origin = server.url) =>
  fetch(new URL(path ?? '/oauth/token', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: raw ?? String(new URLSearchParams(fields)),
  })

const token = async (
  app: TestApp,
  params: Record<string, string | undefined> = {},
  person = owner,
): Promise<Prepared> =>
  presenting(app, await copyOf((await signedIn(app, params, person)).refreshToken as string, 'refreshToken'))

const presenting = (app: TestApp, value: string): Prepared => ({
  fields: { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: value },
  credential: value,
})

/** One whose person, app or authorization nobody else's test needs. */
async function somebodyElses(sql: (person: string, app: string) => string): Promise<Prepared> {
  const person = await makeOwner()
  const app = await person.makeApp(native)
  const prepared = await token(app, {}, person)
  await pool().query(sql(person.person.id, app.clientId))
  return prepared
}

/** All is in order, and nothing unusual: answered without the engine. */
const plain: Record<string, () => Promise<Prepared>> = {
  'a refresh token': () => token(cli),
  'a refresh token that came of another': async () => {
    const first = await token(cli)
    return presenting(cli, String((await refresh(cli, first.credential as string)).body.refresh_token))
  },
  'a refresh token whose line ends in an hour': async () =>
    saying(await token(cli), { iiat: Math.floor(Date.now() / 1000) + 3600 - 730 * 86_400 }),
  'a refresh token of a sign-in with a nonce': () => token(cli, { nonce: 'n-0S6_WzA2Mj' }),
  'a refresh token of a self-registered app': () => token(agent),
  'a refresh token whose authorization has become narrower': () =>
    somebodyElses(
      (_, app) => `UPDATE authorizations SET scopes = '{openid,offline_access}' WHERE client_id = '${app}'`,
    ),
  'fields in another order': async () => {
    const { fields, credential } = await token(cli)
    return { fields: Object.fromEntries(Object.entries(fields).reverse()), credential: String(credential) }
  },
  'a code': () => code(cli),
  'a code with a nonce': () => code(cli, { nonce: 'n-0S6_WzA2Mj' }),
  'a code without offline access': () => code(cli, { scope: 'openid email profile' }),
  'a code of a self-registered app': () => code(agent),
  'a code of an app that chose ES256': () => code(elliptic),
  'a refresh token of an app that chose ES256': () => token(elliptic),
}

const used = async (made: Promise<Prepared>) => {
  const prepared = await made
  await (await post(prepared, engineOnly)).text()
  return prepared
}
const past = Math.floor(Date.now() / 1000) - 10

/** The engine's to answer, whether it refuses or not. */
const unusual: Record<string, () => Promise<Prepared>> = {
  'an authorization that lost openid': () =>
    somebodyElses(
      (_, app) => `UPDATE authorizations SET scopes = '{offline_access}' WHERE client_id = '${app}'`,
    ),
  'an unknown refresh token': async () => presenting(cli, 'lk_rt_nothing'),
  'an unknown client': async () => withField(token(cli), { client_id: 'nobody' }),
  'a client that does not exist any more': () =>
    somebodyElses((_, app) => `DELETE FROM oauth_clients WHERE id = '${app}'`),
  'no client': () => without(token(cli), 'client_id'),
  'another client’s refresh token': () => withField(token(cli), { client_id: agent.clientId }),
  'a confidential client without its secret': async () => presenting(web, 'lk_rt_nothing'),
  'a confidential client': () => withField(token(web), { client_secret: web.secret as string }),
  'a code as refresh token': async () => presenting(cli, (await code(cli)).credential),
  'a refresh token as code': async () =>
    withField(code(cli), { code: (await token(cli)).credential as string }),
  'a refresh token used a moment ago': () => used(token(cli)),
  'a refresh token whose line has ended': async () => saying(await token(cli), { iiat: past - 730 * 86_400 }),
  'an expired refresh token': async () => saying(await token(cli), { exp: past }),
  'a refresh token of the future': async () => saying(await token(cli), { iat: past + 1000 }),
  'an expired row': async () => change(await token(cli), `expires_at = now() - interval '1 second'`),
  'a suspended person': () =>
    somebodyElses((person) => `UPDATE users SET suspended_at = now() WHERE id = '${person}'`),
  'a disabled app': () =>
    somebodyElses((_, app) => `UPDATE oauth_clients SET disabled_at = now() WHERE id = '${app}'`),
  'a revoked authorization': () =>
    somebodyElses((_, app) => `DELETE FROM authorizations WHERE client_id = '${app}'`),
  'a refresh token of somebody else': async () =>
    saying(await token(cli), { accountId: '00000000-0000-7000-8000-000000000000' }),
  'a refresh token without openid': async () => saying(await token(cli), { scope: 'email' }),
  'a refresh token for a resource': async () =>
    saying(await token(cli), { resource: [String(process.env.BASE_URL)] }),
  'a refresh token with claims by name': async () =>
    saying(await token(cli), { claims: { id_token: { auth_time: { essential: true } } } }),
  'a refresh token bound to a key': async () => saying(await token(cli), { jkt: 'thumbprint' }),
  'a scope': () => withField(token(cli), { scope: 'openid' }),
  'a wider scope': () => withField(token(cli), { scope: 'openid profile' }),
  'a resource': () => withField(token(cli), { resource: 'https://elsewhere.example' }),
  'no refresh token': () => without(token(cli), 'refresh_token'),
  'an empty refresh token': () => withField(token(cli), { refresh_token: '' }),
  'a refresh token with a space': () => withField(token(cli), { refresh_token: 'lk rt' }),
  'a NUL': () => withField(token(cli), { refresh_token: 'lk\0rt' }),
  'a field twice': () => written(token(cli), (raw) => `${raw}&client_id=${cli.clientId}`),
  'a broken escape': () => written(token(cli), (raw) => `${raw}%zz`),
  'an unknown grant type': () => withField(token(cli), { grant_type: 'password' }),
  'no grant type': () => without(token(cli), 'grant_type'),
  JSON: async () => ({
    ...(await withHeaders(token(cli), { 'content-type': 'application/json' })),
    raw: '{}',
  }),
  'an Authorization header': () =>
    withHeaders(token(cli), { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }),
  'a page of the app’s own': () => withHeaders(token(cli), { origin: new URL(cli.redirectUri).origin }),
  'a page of somebody else': () => withHeaders(token(cli), { origin: 'https://elsewhere.example' }),
  'a proof that is none': () => withHeaders(token(cli), { dpop: 'none' }),
  'a code used before': () => used(code(cli)),
  'an expired code': async () => saying(await code(cli), { exp: past }),
  'another verifier': () => withField(code(cli), { code_verifier: newVerifier() }),
  'a short verifier': () => withField(code(cli), { code_verifier: 'short' }),
  'no verifier': () => without(code(cli), 'code_verifier'),
  'a code without a challenge': async () => saying(await code(cli), { codeChallenge: '' }),
  'another redirect URI': () => withField(code(cli), { redirect_uri: 'http://127.0.0.1:7778/callback' }),
  'no redirect URI': () => without(code(cli), 'redirect_uri'),
  'a code with claims by name': () => code(cli, { claims: JSON.stringify({ id_token: { email: null } }) }),
  'a code with max_age': () => code(cli, { max_age: '600' }),
  'a code for a resource': () => code(cli, { resource: String(process.env.BASE_URL) }),
  'a code for a key': async () => saying(await code(cli), { dpopJkt: 'thumbprint' }),
}

it.each(Object.entries(plain))('answers %s as the engine would', async (_name, prepare) => {
  const { outcome, expected, withoutEngine } = await compare(prepare)
  expect(withoutEngine).toBe(true)
  expect(outcome).toMatchObject({ status: 200 })
  expect(outcome).toEqual(expected)
})

it.each(Object.entries(unusual))('leaves to the engine: %s', async (_name, prepare) => {
  const { outcome, expected, withoutEngine } = await compare(prepare)
  expect(withoutEngine).toBe(false)
  expect(outcome).toEqual(expected)
})

it('repeats an answer of its own', async () => {
  const prepared = await token(cli)
  const first = await (await post(prepared)).json()
  expect(await (await post(prepared)).json()).toEqual(first)
})

/** What a request leads to at the product, and what at the engine alone. */
async function compare(prepare: () => Promise<Prepared>) {
  const own = await prepare()
  const { answer, plain } = await watchEngine(() => post(own))
  const engines = await prepare()
  const expected = await outcomeOf(engines, await post(engines, engineOnly))
  return { outcome: await outcomeOf(own, answer), expected, withoutEngine: plain }
}

/** Everything but what differs from one time to the next. */
async function outcomeOf({ credential }: Prepared, answer: Response) {
  const body = (await answer.json()) as Fields
  const headers = Object.fromEntries(answer.headers)
  delete headers.date
  delete headers['content-length'] // ids of apps differ in length
  return { status: answer.status, headers, body: described(body), rows: await rowsOf(credential, body) }
}
