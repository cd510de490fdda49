// P3: better-auth with its OAuth provider plugin over a pg Pool, set up as its documentation says.
import http from 'node:http'
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import pg from 'pg'
import { base, challenge, client, databaseUrl, port, verifier, withMint } from './common.mjs'

const scopes = ['openid', 'profile', 'email', 'offline_access']
const options = {
  baseURL: base,
  secret: 'bench-secret-bench-secret-bench-secret-00',
  trustedOrigins: [base],
  database: new pg.Pool({ connectionString: databaseUrl, max: 10 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  disabledPaths: ['/token'],
  plugins: [
    jwt({
      jwks: { keyPairConfig: { alg: 'ES256' } },
      disableSettingJwtHeader: true,
      jwt: { issuer: `${base}/api/auth` },
    }),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      scopes,
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
}
const auth = betterAuth(options)
await (await getMigrations(options)).runMigrations()

let cookie
let registered

/** One person and one trusted client, made by the library itself. */
async function setUp() {
  const signedUp = await fetch(`${base}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email: 'bench@example.test', password: 'correct-horse-battery', name: 'Bench' }),
  })
  cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  registered = await auth.api.adminCreateOAuthClient({
    headers: new Headers({ cookie, origin: base }),
    body: {
      client_name: 'bench',
      redirect_uris: [client.redirectUri],
      skip_consent: true,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: scopes.join(' '),
    },
  })
}

async function authorize() {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: registered.client_id,
    redirect_uri: client.redirectUri,
    scope: scopes.join(' '),
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const answer = await fetch(`${base}/api/auth/oauth2/authorize?${query}`, {
    headers: { origin: base, cookie },
    redirect: 'manual',
  })
  // To fetch it answers 200 with the address in JSON instead of a redirect.
  const text = await answer.text()
  const location = answer.headers.get('location') ?? JSON.parse(text).url
  return new URL(location, base).searchParams.get('code')
}

async function exchange(code) {
  const basic = Buffer.from(`${registered.client_id}:${registered.client_secret}`).toString('base64')
  const answer = await fetch(`${base}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
    }),
  })
  return answer.json()
}

async function mintOne(kind) {
  const code = await authorize()
  if (kind === 'code') return { value: code, verifier }
  const tokens = await exchange(code)
  return { value: kind === 'refresh' ? tokens.refresh_token : tokens.access_token }
}

async function mint({ kind, count }) {
  if (!registered) await setUp()
  if (kind === 'client') return { id: registered.client_id, secret: registered.client_secret }
  const minted = []
  while (minted.length < count) {
    const batch = Math.min(8, count - minted.length)
    minted.push(...(await Promise.all(Array.from({ length: batch }, () => mintOne(kind)))))
  }
  return minted
}

http.createServer(withMint(mint, toNodeHandler(auth))).listen(port, '127.0.0.1')
