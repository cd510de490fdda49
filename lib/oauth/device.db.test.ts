import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readUsage } from '@/lib/app-usage/read-usage'
import { config } from '@/lib/config/env'
import { hashCredential } from '@/lib/credentials/tokens'
import { pool } from '@/lib/db/pool'
import { answerDeviceCode, answerDeviceDecision } from '@/lib/oauth/device/answer-device-forms'
import { startSession } from '@/lib/sessions/start-session'
import { refresh, requestToken, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { sessionCookie } from '@/lib/web/session-cookie'

const { server, owner, cli } = await startOAuthWorld()

let cookie: string

beforeAll(async () => {
  const sid = await startSession({}, owner.person.id, ['pwd'])
  cookie = (await sessionCookie({ sub: owner.person.id, sid })).split(';', 1)[0] as string
})
beforeEach(() => pool().query('DELETE FROM rate_limits'))

async function begin(app: TestApp, params: Record<string, string> = {}) {
  const response = await server.fetch('/oauth/device/auth', {
    method: 'POST',
    body: new URLSearchParams({
      client_id: app.clientId,
      ...(app.secret ? { client_secret: app.secret } : {}),
      scope: 'openid',
      ...params,
    }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const form = (path: string, fields: [string, string][]) =>
  new Request(`${config().BASE_URL}${path}`, {
    method: 'POST',
    headers: { cookie, origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

const location = (response: Response) =>
  new URL(response.headers.get('location') as string, config().BASE_URL)

/** Types a code. @returns where that leads */
const type = async (code: string) =>
  location(await answerDeviceCode(form('/device/code', [['user_code', code]])))

async function decide(code: string, decision: string, more: [string, string][] = []) {
  const ticket = (await type(code)).searchParams.get('request') as string
  const answer = await answerDeviceDecision(
    form('/device/decision', [['request', ticket], ['decision', decision], ...more]),
  )
  return location(answer).searchParams
}

const poll = (app: TestApp, code: string) =>
  requestToken(app, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code })

/** Lets the device's last poll look older. */
const rest = (code: string) =>
  pool().query(`UPDATE oauth_artifacts SET payload = payload - 'polledAt' WHERE hash = $1`, [
    hashCredential(code),
  ])

describe('device flow', () => {
  it('answers with codes, our page and how often to ask', async () => {
    const { status, body } = await begin(cli)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      device_code: expect.stringMatching(/^lk_dc_/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${config().BASE_URL}/device`,
      verification_uri_complete: `${config().BASE_URL}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('goes from pending to tokens when the person authorizes', async () => {
    const { body } = await begin(cli, { scope: 'openid email offline_access project:viewer wizardry' })
    const code = body.device_code as string
    expect((await poll(cli, code)).body.error).toBe('authorization_pending')
    const done = await decide(body.user_code as string, 'authorize', [['project', owner.project.id]])
    expect(done.get('done')).toBe('authorized')
    const tokens = await poll(cli, code)
    expect(tokens.status).toBe(200)
    expect(tokens.body.scope).toBe('openid email offline_access project:viewer')
    expect(tokens.body.id_token).toBeTruthy()
    expect(await userinfo(tokens.body.access_token as string)).toMatchObject({
      status: 200,
      body: { sub: owner.person.id, email: owner.person.email },
    })
    expect((await refresh(cli, tokens.body.refresh_token as string)).status).toBe(200)
    expect((await poll(cli, code)).body.error).toBe('invalid_grant')
  })

  it('is one authorization on the app’s page, however often the answer is sent', async () => {
    const app = await owner.makeApp(native)
    const { body } = await begin(app)
    const answers = await Promise.all([1, 2, 3].map(() => decide(body.user_code as string, 'authorize')))
    expect(answers.filter((answer) => answer.get('done') === 'authorized')).toHaveLength(1)
    expect((await poll(app, body.device_code as string)).status).toBe(200)
    const usage = await readUsage({ kind: 'session', userId: owner.person.id } as never, app.clientId)
    const used = usage.filter(({ authorizations, tokens }) => authorizations + tokens > 0)
    expect(used).toEqual([{ day: used[0]?.day, authorizations: 1, tokens: 1, requests: 0, errors: 0 }])
  })

  it('takes the code in any case, with or without dashes', async () => {
    const { body } = await begin(cli)
    const code = body.user_code as string
    for (const typed of [code.toLowerCase(), code.replace('-', ''), ` ${code.replace('-', ' ')} `]) {
      expect((await type(typed)).pathname).toBe('/device/confirm')
    }
  })

  it('tells the device when the person denies', async () => {
    const { body } = await begin(cli)
    expect((await decide(body.user_code as string, 'deny')).get('done')).toBe('denied')
    expect((await poll(cli, body.device_code as string)).body.error).toBe('access_denied')
    expect((await type(body.user_code as string)).searchParams.get('error')).toBe('unknown')
  })

  it('asks a device that polls too fast to slow down', async () => {
    const { body } = await begin(cli)
    const code = body.device_code as string
    expect((await poll(cli, code)).body.error).toBe('authorization_pending')
    expect((await poll(cli, code)).body.error).toBe('slow_down')
    await rest(code)
    expect((await poll(cli, code)).body.error).toBe('authorization_pending')
  })

  it('ends with expired_token after ten minutes', async () => {
    const { body } = await begin(cli)
    await pool().query(
      `UPDATE oauth_artifacts SET expires_at = now(),
              payload = payload || jsonb_build_object('exp', floor(extract(epoch FROM now())) - 1)
        WHERE hash = $1`,
      [hashCredential(body.device_code as string)],
    )
    expect((await poll(cli, body.device_code as string)).body.error).toBe('expired_token')
    expect((await type(body.user_code as string)).searchParams.get('error')).toBe('unknown')
  })

  it('wants a selection where a scope asks for one', async () => {
    const { body } = await begin(cli, { scope: 'openid workspace:viewer' })
    expect((await decide(body.user_code as string, 'authorize')).get('refused')).toBe('nothing-selected')
    const done = await decide(body.user_code as string, 'authorize', [['workspace', owner.workspace.id]])
    expect(done.get('done')).toBe('authorized')
  })

  it('is for the client that started it alone, once, however many ask', async () => {
    const { body } = await begin(cli, { scope: 'openid offline_access' })
    const other = await owner.makeApp(native)
    expect((await poll(other, body.device_code as string)).body.error).toBe('invalid_grant')
    await rest(body.device_code as string)
    await decide(body.user_code as string, 'authorize')
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(cli, body.device_code as string)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('needs a web app to authenticate', async () => {
    const web = await owner.makeApp()
    expect((await begin(web)).status).toBe(200)
    const { status, body } = await begin({ ...web, secret: undefined })
    expect([status, body.error]).toEqual([400, 'invalid_client'])
    expect((await begin({ ...cli, clientId: 'nobody' })).body.error).toBe('invalid_client')
  })

  it('limits guessing', async () => {
    const outcomes = []
    for (let at = 0; at < 31; at++) outcomes.push((await type('BBBB-BBBB')).searchParams.get('error'))
    expect(outcomes.slice(0, 30)).toEqual(Array(30).fill('unknown'))
    expect(outcomes[30]).toBe('limit')
  })

  it('takes forms from our own pages alone', async () => {
    const { body } = await begin(cli)
    const foreign = form('/device/code', [['user_code', body.user_code as string]])
    foreign.headers.set('origin', 'https://evil.example')
    expect((await answerDeviceCode(foreign)).status).toBe(403)
  })

  it('serves a device that registered itself, without any redirect URI', async () => {
    const registered = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Television',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_method: 'none',
      }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const { body } = await begin({ clientId, redirectUri: '' })
    await decide(body.user_code as string, 'authorize')
    const tokens = await poll({ clientId, redirectUri: '' }, body.device_code as string)
    expect(tokens.status).toBe(200)
  })

  it('sends /oauth/device to the page', async () => {
    const response = await server.fetch('/oauth/device?user_code=BBBB-BBBB')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/device?user_code=BBBB-BBBB')
  })

  it('keeps no code in the database', async () => {
    const { body } = await begin(cli)
    const plain = [body.device_code, body.user_code, body.user_code?.replace('-', '')]
    const { rows } = await pool().query(
      `SELECT a::text AS row FROM oauth_artifacts a WHERE model = 'DeviceCode'`,
    )
    for (const { row } of rows) for (const value of plain) expect(row).not.toContain(value)
  })
})
