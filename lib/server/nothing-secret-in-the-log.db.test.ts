import { afterAll, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { answerSignInForm } from '@/lib/edges/web/sign-in/answer-sign-in-forms'
import { requestPasswordReset } from '@/lib/features/identity/users/request-password-reset'
import { captureLog } from '@/lib/testing/captured-log'
import { openBreakableDatabasePath } from '@/lib/testing/database-path'
import { makeApiToken, testPassword } from '@/lib/testing/factories'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorizeUrl, offline, refresh, requestToken, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

const path = await openBreakableDatabasePath(10)
const { server, owner, web, cli } = await startOAuthWorld()
const given = await makeApiToken(owner.user)
const captured = captureLog()
afterAll(() => {
  captured.release()
  return path.close()
})

/** The secrets that must not be logged: those in this file, and those in requests and responses. */
const secrets = new Map<string, string>([
  [testPassword, 'the password'],
  [owner.user.email, 'an email address'],
  [owner.user.name, 'a name'],
  [web.secret as string, 'a client secret'],
  ['the-state-of-hunter2', 'a state'],
  ['hunter2', 'what a client sent'],
])
const credentials = /\blk_(?!app_)[a-z]+_\w+|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]+)?|\b[A-Z]{4}-[A-Z]{4}\b/g
const collect = (text: string, what: string) => {
  for (const found of text.match(credentials) ?? []) secrets.set(found, what)
}
const { fetch } = globalThis
vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
  collect(`${input} ${init?.body ?? ''} ${new Headers(init?.headers).get('authorization')}`, 'sent')
  const answer = await fetch(input, init)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(/[=;]/)[1] as string)
  for (const value of cookies) if (value.length > 8) secrets.set(value, 'a cookie')
  collect(`${await answer.clone().text()} ${answer.headers.get('location')}`, 'answered')
  return answer
})

const form = (fields: Record<string, string>) =>
  new Request(`${config().BASE_URL}/login/submit`, {
    method: 'POST',
    headers: { origin: config().BASE_URL, 'x-forwarded-for': 'hunter2' },
    body: new URLSearchParams(fields),
  })

const graphql = (token: string, query: string, variables?: object) =>
  server.fetch('/graphql/v2', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })

/**
 * Performs many user and app actions, including invalid ones. If an action fails, the remaining actions still
 * run.
 */
async function everything(): Promise<void> {
  let tokens: Record<string, string> = {}
  let device: Record<string, string> = {}
  const { token } = given
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const params = { ...offline, state: 'the-state-of-hunter2', login_hint: owner.user.email }
      tokens = (await signInToApp(owner.browser, web, params)).body
    },
    () => userinfo(`${tokens.access_token}`),
    () => userinfo(`${tokens.access_token?.slice(0, -1)}_`),
    () => refresh(web, `${tokens.refresh_token}`),
    () => refresh({ ...web, secret: `${web.secret}hunter2` }, `${tokens.refresh_token}`),
    () =>
      requestToken(web, { grant_type: 'authorization_code', code: 'hunter2', redirect_uri: web.redirectUri }),
    () =>
      visit(
        authorizeUrl(web, { redirect_uri: 'https://evil.example/?hunter2', login_hint: owner.user.email }),
      ),
    () => visit(`/oauth/auth/hunter2?token=${tokens.access_token}`),
    () => server.fetch('/oauth/register/hunter2'),
    () => visit('/reset-password?token=hunter2'),
    () => visit('/%zz-hunter2'),
    () =>
      server.fetch('/oauth/token/introspection', { method: 'POST', body: aboutToken(tokens.access_token) }),
    () => server.fetch('/oauth/token/revocation', { method: 'POST', body: aboutToken(tokens.access_token) }),
    async () => {
      device = (await beginDevice(cli)).body
    },
    () => pollDevice(cli, String(device.device_code)),
    async () => (await userAtDevicePages(owner.user.id)).decide(String(device.user_code), 'authorize'),
    () => pollDevice(cli, String(device.device_code)),
    () => graphql(token, '{ me { id name email workspaces { id } } }'),
    () => graphql(token, 'query Hunter { hunter2 }'),
    () => graphql(token, 'query($id: ID!) { project(id: $id) { id } }', { id: 'hunter2' }),
    () => graphql('hunter2', '{ me { id } }'),
    () => answerSignInForm(form({ email: owner.user.email, password: testPassword })),
    () => answerSignInForm(form({ email: owner.user.email, password: 'hunter2hunter2' })),
    () => requestPasswordReset({ ip: '192.0.2.7' }, { email: owner.user.email }),
    () => settleBackgroundWork(),
  ]
  for (const step of steps) await step().catch((error) => log.error('a step failed', { error }))
}

const aboutToken = (token = '') =>
  new URLSearchParams({ token, client_id: web.clientId, client_secret: String(web.secret) })

const visit = (address: string) => server.fetch(address, { headers: { accept: 'text/html' } })

function expectNothingSecret(): void {
  const text = captured.text()
  expect(secrets.size).toBeGreaterThan(15)
  const leaked = [...secrets].filter(
    ([secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
  )
  expect(leaked).toEqual([])
}

it('the log contains no secrets during normal operation', async () => {
  await everything()
  expect(captured.entries().filter(({ level }) => level === 'error')).toEqual([])
  expect(captured.entries().map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['a request was answered', 'a sign-in was refused']),
  )
  expectNothingSecret()
})

it('the log contains no secrets while the database rejects writes with detailed errors', async () => {
  const tables = ['oauth_artifacts', 'sessions', 'pending_sign_ins', 'email_tokens']
  await prisma().$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE unique_violation USING MESSAGE = 'refused', DETAIL = 'hunter2 ' || row_to_json(NEW)::text, HINT = 'hunter2'; END $$`
  for (const table of tables) {
    await prisma().$executeRawUnsafe(
      `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
    )
  }
  await everything()
  for (const table of tables) await prisma().$executeRawUnsafe(`DROP TRIGGER refuse ON ${table}`)
  expect(captured.entries().some(({ level }) => level === 'error')).toBe(true)
  expectNothingSecret()
})

it('the log contains no secrets while a table is missing and statements fail', async () => {
  await prisma().$executeRaw`ALTER TABLE workspaces RENAME TO gone`
  await everything()
  await prisma().$executeRaw`ALTER TABLE gone RENAME TO workspaces`
  expectNothingSecret()
})

it('the log contains no secrets while the database is unavailable', async () => {
  path.become('refused')
  await everything()
  await visit(authorizeUrl(web))
  path.become('open')
  expect(captured.entries().filter(({ msg }) => msg === 'the database does not answer')).not.toEqual([])
  expectNothingSecret()
})
