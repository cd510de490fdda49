import { createHash, randomBytes } from 'node:crypto'
import { type APIRequestContext, expect, test } from '@playwright/test'
import pg from 'pg'
import sharp from 'sharp'
import { type FunctionPlatform, startFunctions } from './support/function-platform'
import { platformAddress } from './support/functions'
import { makeOwnDatabase } from './support/own-database'

/**
 * Runs the build as serverless functions. Each function has only the files that were traced for it, and is
 * frozen after every response.
 */
test.describe.configure({ mode: 'serial', timeout: 180_000 })

const cronSecret = 'the-secret-of-the-scheduler'
const [oauth, graphql] = ['oauth/[[...path]]/route', 'graphql/v2/route']
const pages = [
  ...[oauth, graphql, '(auth)/login/page', '(auth)/signup/submit/route', '(auth)/login/submit/route'],
  ...['interaction/[uid]/page', 'interaction/[uid]/decision/route', 'account/profile/picture/route'],
  ...['readyz/route', 'api/cron/route'],
]

let platform: FunctionPlatform
let client: pg.Client
let browser: APIRequestContext

test.beforeAll(async ({ playwright }) => {
  test.setTimeout(180_000)
  const database = await makeOwnDatabase()
  client = new pg.Client({ connectionString: database })
  await client.connect()
  platform = await startFunctions(pages, {
    DATABASE_URL: database,
    SECRET_KEY: 'shared-by-all-functions-shared-by-all-functions',
    CRON_SECRET: cronSecret,
  })
  browser = await playwright.request.newContext({ baseURL: platform.url })
})
test.afterAll(async () => {
  await browser?.dispose()
  await platform?.close()
  await client?.end()
})

const query = async (sql: string) => (await client.query(sql)).rows
const submit = (path: string, form: Record<string, string>) =>
  browser.post(path, { form, headers: { origin: platform.url }, maxRedirects: 0 })

const password = 'correct horse battery staple'
const email = 'functions@example.com'

test('the functions serve the sign-in page and report that the server is ready', async () => {
  const page = await browser.get('/login')
  expect(page.status()).toBe(200)
  expect(await page.text()).toContain('Sign in')
  const ready = await browser.get('/readyz')
  expect([ready.status(), await ready.json()]).toEqual([200, { status: 'ready' }])
})

test('a weak password is rejected, and a user signs up and signs in with a strong one', async () => {
  const weak = await submit('/signup/submit', { name: 'F', email, password: 'password123' })
  expect(weak.headers().location).toContain('/signup')
  expect(await query('SELECT FROM users')).toHaveLength(0)
  const made = await submit('/signup/submit', { name: 'Fatima', email, password })
  expect([made.status(), made.headers().location]).toEqual([303, '/'])
  const wrong = await submit('/login/submit', { email, password: 'another horse battery staple' })
  expect(wrong.headers().location).toContain('/login')
  expect((await submit('/login/submit', { email, password })).status()).toBe(303)
  // Rate limits and records use the client address that the platform sends.
  const { rows } = await client.query('SELECT DISTINCT ip FROM sessions')
  expect(rows).toEqual([{ ip: platformAddress }])
})

test('a function accepts an uploaded profile image', async () => {
  const buffer = await sharp({ create: { width: 300, height: 240, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const answer = await browser.post('/account/profile/picture', {
    multipart: { picture: { name: 'me.png', mimeType: 'image/png', buffer } },
    headers: { origin: platform.url },
    maxRedirects: 0,
  })
  expect([answer.status(), answer.headers().location]).toEqual([303, '/account/profile#picture'])
})

test('an app registers, is authorized, and sends requests, and its usage is stored before the functions freeze', async () => {
  const redirect = 'http://127.0.0.1:7777/callback'
  const registered = await browser.post('/oauth/register', {
    data: { client_name: 'Function app', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  })
  expect(registered.status()).toBe(201)
  const { client_id } = await registered.json()
  const verifier = randomBytes(32).toString('base64url')
  const authorize = new URLSearchParams({
    client_id,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid email workspace:viewer',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const consent = await browser.get(`/oauth/auth?${authorize}`)
  expect(await consent.text()).toContain('Function app')
  const [{ id: workspace }] = await query('SELECT id FROM workspaces')
  let answer = await submit(`${new URL(consent.url()).pathname}/decision`, {
    decision: 'authorize',
    workspace,
  })
  for (let hops = 0; hops < 5 && !answer.headers().location?.startsWith(redirect); hops++) {
    answer = await browser.get(String(answer.headers().location), { maxRedirects: 0 })
  }
  const code = new URL(String(answer.headers().location)).searchParams.get('code')
  const token = await browser.post('/oauth/token', {
    form: {
      client_id,
      grant_type: 'authorization_code',
      code: String(code),
      redirect_uri: redirect,
      code_verifier: verifier,
    },
  })
  expect(token.status()).toBe(200)
  const headers = { authorization: `Bearer ${(await token.json()).access_token}` }
  expect((await (await browser.get('/oauth/me', { headers })).json()).email).toBe(email)
  for (let i = 0; i < 3; i++) {
    const asked = await browser.post('/graphql/v2', {
      headers,
      data: { query: '{ me { email workspaces { id } } }' },
    })
    expect(await asked.json()).toMatchObject({ data: { me: { email, workspaces: [{ id: workspace }] } } })
  }
  await platform.frozen()
  expect(await query('SELECT sum(requests)::int AS requests FROM request_counts')).toEqual([{ requests: 3 }])
  expect(await query('SELECT last_used_at IS NOT NULL AS used FROM authorizations')).toEqual([{ used: true }])
  expect(await query('SELECT sum(requests)::int AS requests FROM app_usage')).toEqual([{ requests: 3 }])
})

test('no function keeps a connection to the database while it is frozen', async () => {
  // A PostgreSQL backend ends shortly after its client disconnects, so the test polls. The query excludes
  // PostgreSQL's own processes, such as autovacuum workers.
  const others = () =>
    query(
      `SELECT pid, query FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    )
  await expect.poll(others).toEqual([])
})

test('the scheduler’s request runs the background jobs, and is rejected without the cron secret', async () => {
  expect((await browser.get('/api/cron')).status()).toBe(401)
  const headers = { authorization: `Bearer ${cronSecret}` }
  const visit = await browser.get('/api/cron', { headers })
  expect([visit.status(), await visit.json()]).toEqual([200, { status: 'done', waiting: 0 }])
  const ran = await query(
    `SELECT count(*)::int AS jobs FROM pgboss.job WHERE state = 'completed' AND name !~ '^__'`,
  )
  expect(ran[0].jobs).toBeGreaterThanOrEqual(5)
})

test('no function logs an error or a missing file', async () => {
  for (const [page, { output }] of platform.functions) {
    expect(output(), page).not.toMatch(/ENOENT|Cannot find|MODULE_NOT_FOUND|"level":"error"/)
  }
})
