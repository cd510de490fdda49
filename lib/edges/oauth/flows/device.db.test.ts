import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { readUsageOf } from '@/lib/features/apps/activity/read-usage'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { refresh, userinfo } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { oneFactor } from '../engine/sessions'
import { answerDeviceCode } from '../interaction/device-forms'
import { devicePolls, lastPolls } from '../store/poll-device-code'

const { server, owner, cli } = await startOAuthWorld()

const { form, type, decide } = await userAtDevicePages(owner.user.id)

beforeEach(() => pool().query('DELETE FROM rate_limits'))

/**
 * Writes this process's polls to the database and clears them from memory, so that it acts like another
 * replica.
 */
const atAnotherReplica = async () => {
  await devicePolls.now()
  lastPolls().clear()
}

/** Removes the record of the device's last poll, as if enough time had passed. */
const rest = async (code: string) => {
  await atAnotherReplica()
  await pool().query(`UPDATE oauth_artifacts SET payload = payload - 'polledAt' WHERE hash = $1`, [
    hashCredential(code),
  ])
}

describe('the server in the device flow', () => {
  it('returns the device code, the user code, the URLs of the /device page, and the polling interval', async () => {
    const { status, body } = await beginDevice(cli)
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

  it('returns authorization_pending, then tokens after the user authorizes the device', async () => {
    const { body } = await beginDevice(cli, { scope: 'openid email offline_access project:viewer wizardry' })
    const code = body.device_code as string
    expect((await pollDevice(cli, code)).body.error).toBe('authorization_pending')
    const done = await decide(body.user_code as string, 'authorize', [['project', owner.project.id]])
    expect(done.get('done')).toBe('authorized')
    const tokens = await pollDevice(cli, code)
    expect(tokens.status).toBe(200)
    expect(tokens.body.scope).toBe('openid email offline_access project:viewer')
    expect(tokens.body.id_token).toBeTruthy()
    expect(await userinfo(tokens.body.access_token as string)).toMatchObject({
      status: 200,
      body: { sub: owner.user.id, email: owner.user.email },
    })
    expect((await refresh(cli, tokens.body.refresh_token as string)).status).toBe(200)
    expect((await pollDevice(cli, code)).body.error).toBe('invalid_grant')
  })

  it('returns the time and acr of the sign-in if the device requests them', async () => {
    const { body } = await beginDevice(cli, { max_age: '600', acr_values: oneFactor })
    await decide(body.user_code as string, 'authorize')
    const tokens = await pollDevice(cli, body.device_code as string)
    const said = decodeJwt(tokens.body.id_token as string)
    expect(said).toMatchObject({ acr: oneFactor, auth_time: expect.any(Number) })
  })

  it('counts one authorization and one token in the app’s usage even if the user repeats the decision', async () => {
    const app = await owner.makeApp(native)
    const { body } = await beginDevice(app)
    const answers = await Promise.all([1, 2, 3].map(() => decide(body.user_code as string, 'authorize')))
    expect(answers.filter((answer) => answer.get('done') === 'authorized')).toHaveLength(1)
    expect((await pollDevice(app, body.device_code as string)).status).toBe(200)
    const [usage = []] = await readUsageOf([app.clientId])
    const used = usage.filter(({ authorizations, tokens }) => authorizations + tokens > 0)
    expect(used).toEqual([{ day: used[0]?.day, authorizations: 1, tokens: 1, requests: 0, errors: 0 }])
  })

  it('accepts the user code in lowercase, without its dash, and with spaces', async () => {
    const { body } = await beginDevice(cli)
    const code = body.user_code as string
    for (const typed of [code.toLowerCase(), code.replace('-', ''), ` ${code.replace('-', ' ')} `]) {
      expect((await type(typed)).pathname).toBe('/device/confirm')
    }
  })

  it('returns access_denied when the user denies access', async () => {
    const { body } = await beginDevice(cli)
    expect((await decide(body.user_code as string, 'deny')).get('done')).toBe('denied')
    expect((await pollDevice(cli, body.device_code as string)).body.error).toBe('access_denied')
    expect((await type(body.user_code as string)).searchParams.get('error')).toBe('unknown')
  })

  it('returns slow_down to a device that polls too fast', async () => {
    const { body } = await beginDevice(cli)
    const code = body.device_code as string
    expect((await pollDevice(cli, code)).body.error).toBe('authorization_pending')
    expect((await pollDevice(cli, code)).body.error).toBe('slow_down')
    await atAnotherReplica()
    expect((await pollDevice(cli, code)).body.error).toBe('slow_down')
    await rest(code)
    expect((await pollDevice(cli, code)).body.error).toBe('authorization_pending')
  })

  it('returns expired_token after the code expires', async () => {
    const { body } = await beginDevice(cli)
    await pool().query(
      `UPDATE oauth_artifacts SET expires_at = now() - interval '1 second' WHERE hash = $1`,
      [hashCredential(body.device_code as string)],
    )
    expect((await pollDevice(cli, body.device_code as string)).body.error).toBe('expired_token')
    expect((await type(body.user_code as string)).searchParams.get('error')).toBe('unknown')
  })

  it('requires a selection if a scope needs one', async () => {
    const { body } = await beginDevice(cli, { scope: 'openid workspace:viewer' })
    expect((await decide(body.user_code as string, 'authorize')).get('refused')).toBe('nothing-selected')
    const done = await decide(body.user_code as string, 'authorize', [['workspace', owner.workspace.id]])
    expect(done.get('done')).toBe('authorized')
  })

  it('returns tokens only to the client that started the flow, and only once for parallel requests', async () => {
    const { body } = await beginDevice(cli, { scope: 'openid offline_access' })
    const other = await owner.makeApp(native)
    expect((await pollDevice(other, body.device_code as string)).body.error).toBe('invalid_grant')
    await rest(body.device_code as string)
    await decide(body.user_code as string, 'authorize')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => pollDevice(cli, body.device_code as string)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('accepts a client_id alone, even from a web app, which must authenticate to get the tokens', async () => {
    const web = await owner.makeApp()
    const anonymous = { ...web, secret: undefined }
    for (const app of [web, anonymous]) {
      const { status, body } = await beginDevice(app)
      expect(status).toBe(200)
      await decide(body.user_code as string, 'authorize')
      const code = body.device_code as string
      expect((await pollDevice(anonymous, code)).body.error).toBe('invalid_client')
      expect((await pollDevice(web, code)).status).toBe(200)
    }
  })

  it('rejects a wrong or unexpected secret and an unknown client_id', async () => {
    const web = await owner.makeApp()
    for (const app of [
      { ...web, secret: 'wrong' },
      { ...cli, secret: 'any' },
      { ...cli, clientId: 'unknown' },
    ]) {
      const { status, body } = await beginDevice(app)
      expect([status, body.error]).toEqual([400, 'invalid_client'])
    }
  })

  it('reports a missing client_id', async () => {
    const { status, body } = await beginDevice(cli, { client_id: undefined })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toContain('client_id is missing')
  })

  it('ignores extra spaces in the scope, but rejects commas', async () => {
    const { body } = await beginDevice(cli, { scope: ' openid  email ' })
    await decide(body.user_code as string, 'authorize')
    expect((await pollDevice(cli, body.device_code as string)).body.scope).toBe('openid email')
    const commas = await beginDevice(cli, { scope: 'openid,email' })
    expect([commas.status, commas.body.error]).toEqual([400, 'invalid_scope'])
    expect(commas.body.error_description).toContain('not commas')
  })

  it('limits attempts to guess a user code', async () => {
    const outcomes = []
    for (let at = 0; at < 31; at++) outcomes.push((await type('BBBB-BBBB')).searchParams.get('error'))
    expect(outcomes.slice(0, 30)).toEqual(Array(30).fill('unknown'))
    expect(outcomes[30]).toBe('limit')
  })

  it('rejects a form from a page of another origin', async () => {
    const { body } = await beginDevice(cli)
    const foreign = form('/device/code', [['user_code', body.user_code as string]])
    foreign.headers.set('origin', 'https://evil.example')
    expect((await answerDeviceCode(foreign)).status).toBe(403)
  })

  it('accepts a self-registered device without redirect URIs', async () => {
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
    const { body } = await beginDevice({ clientId, redirectUri: '' })
    await decide(body.user_code as string, 'authorize')
    const tokens = await pollDevice({ clientId, redirectUri: '' }, body.device_code as string)
    expect(tokens.status).toBe(200)
  })

  it('rejects a client that did not register the device grant', async () => {
    const registered = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [cli.redirectUri], token_endpoint_auth_method: 'none' }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const { status, body } = await beginDevice({ clientId, redirectUri: cli.redirectUri })
    expect(status).toBe(400)
    expect(body.error_description).toContain('device_code is not allowed for this client')
  })

  it('redirects /oauth/device to /device with the user code', async () => {
    const response = await server.fetch('/oauth/device?user_code=BBBB-BBBB')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/device?user_code=BBBB-BBBB')
  })

  it('stores no code in plain text', async () => {
    const { body } = await beginDevice(cli)
    const plain = [body.device_code, body.user_code, body.user_code?.replace('-', '')]
    const { rows } = await pool().query(
      `SELECT a::text AS row FROM oauth_artifacts a WHERE model = 'DeviceCode'`,
    )
    for (const { row } of rows) for (const value of plain) expect(row).not.toContain(value)
  })
})
