// P3: better-auth with its OAuth provider plugin over a pg Pool, configured as documented. A process signs
// all ID tokens with one key, whose algorithm is set by ALGORITHM. Each algorithm therefore needs its own
// process.
import http from 'node:http'
import { oauthProvider } from '@better-auth/oauth-provider'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import pg from 'pg'
import { base, challenge, clients, databaseUrl, port, redirectUri, verifier, withMint } from './common.mjs'

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
      jwks: { keyPairConfig: { alg: process.env.ALGORITHM } },
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
/** The library's clients for the benchmark's apps, by name. */
const registered = {}

/**
 * Signs up one user, stores the user's session cookie, and registers the benchmark's apps, which need no
 * consent.
 */
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
  for (const [name, { secret }] of Object.entries(clients)) registered[name] = await register(name, secret)
}

async function register(name, secret) {
  const made = await auth.api.adminCreateOAuthClient({
    headers: new Headers({ cookie, origin: base }),
    body: {
      client_name: name,
      redirect_uris: [redirectUri],
      skip_consent: true,
      ...(secret ? {} : { type: 'native' }),
      token_endpoint_auth_method: secret ? 'client_secret_basic' : 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: scopes.join(' '),
    },
  })
  return { id: made.client_id, secret: made.client_secret ?? '' }
}

async function authorize(app) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const answer = await fetch(`${base}/api/auth/oauth2/authorize?${query}`, {
    headers: { origin: base, cookie },
    redirect: 'manual',
  })
  // Instead of redirecting, the library responds to fetch requests with status 200 and the URL as JSON.
  const text = await answer.text()
  const location = answer.headers.get('location') ?? JSON.parse(text).url
  return new URL(location, base).searchParams.get('code')
}

async function exchange({ id, secret }, code) {
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  const answer = await fetch(`${base}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: secret ? { authorization: `Basic ${basic}` } : {},
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
      ...(secret ? {} : { client_id: id }),
    }),
  })
  return answer.json()
}

async function mintOne(kind, app) {
  const code = await authorize(app)
  if (kind === 'code') return { value: code, verifier }
  const tokens = await exchange(app, code)
  return { value: kind === 'access' ? tokens.access_token : tokens.refresh_token }
}

async function mint({ kind, count, app }) {
  if (!cookie) await setUp()
  if (kind === 'clients') return registered
  const minted = []
  while (minted.length < count) {
    const batch = Math.min(8, count - minted.length)
    minted.push(...(await Promise.all(Array.from({ length: batch }, () => mintOne(kind, registered[app])))))
  }
  return minted
}

http.createServer(withMint(mint, toNodeHandler(auth))).listen(port, '127.0.0.1')
