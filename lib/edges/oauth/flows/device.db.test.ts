import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { approveApp, blockApp } from '@/lib/features/app-access/decide'
import { setPolicy } from '@/lib/features/app-access/policy'
import { readUsageOf } from '@/lib/features/apps/activity/read-usage'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { queryApi } from '@/lib/testing/app-requests'
import { joinWorkspace, makeProject, makeUser } from '@/lib/testing/factories'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { refresh, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { oneFactor, twoFactors } from '../engine/sessions'
import { answerDeviceCode, sealOutcome } from '../interaction/device-forms'
import { devicePolls, lastPolls } from '../store/poll-device-code'

const { server, owner, cli } = await startOAuthWorld()
const vendor = await makeOwner()
const session = { kind: 'session', userId: owner.user.id, sessionId: 's', instanceAdmin: false } as const
const pages = await userAtDevicePages(owner.user.id)
const { form, type, decide } = pages
const { id: workspaceId } = owner.workspace

/** An app of another workspace, which each test can change. */
let app: TestApp
beforeEach(async () => {
  await prisma().rateLimit.deleteMany()
  await prisma().workspaceApp.deleteMany({ where: { workspaceId } })
  await setPolicy(session, workspaceId, { policy: 'OPEN' })
  app = await vendor.makeApp(native)
})

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

const scope = 'openid workspace:admin project:admin'
const begin = async (params: Record<string, string> = { scope }, by = app) =>
  (await beginDevice(by, params)).body
const select = (id: string, kind = 'workspace'): [string, string] => [kind, id]
const poll = async (device: Record<string, string>, by = app) => {
  const { body, status } = await pollDevice(by, String(device.device_code))
  return { status, error: body.error, token: String(body.access_token), idToken: String(body.id_token) }
}
const update = (data: object, { clientId } = app) =>
  prisma().oAuthClient.update({ where: { id: clientId }, data: { ...data, version: { increment: 1 } } })
const readsProject = async (token: string) =>
  (await queryApi(token, `{ project(id: "${owner.project.id}") { name } }`)).code

describe('a forged form', () => {
  it.each<[string, () => Promise<[string, string][]>]>([
    ['with a workspace of another user', async () => [select(vendor.workspace.id)]],
    ['with a project of another user', async () => [select(vendor.project.id, 'project')]],
    [
      'with a workspace of the user and one of another user',
      async () => [select(workspaceId), select(vendor.workspace.id)],
    ],
    [
      'with a project of another user and a workspace of the user',
      async () => [select(workspaceId), select(vendor.project.id, 'project')],
    ],
    ['with the ID of a project as a workspace', async () => [select(owner.project.id)]],
    ['with the ID of a workspace as a project', async () => [select(workspaceId, 'project')]],
    ['with an ID that does not exist', async () => [select(randomUUID())]],
    ['with text that is not an ID', async () => [select("' OR 1=1 --")]],
    ['with a NUL', async () => [select('\0')]],
    ['with nothing selected', async () => []],
    [
      'with the workspace of a project to which the user belongs',
      async () => {
        const elsewhere = await makeOwner()
        const project = await makeProject(elsewhere.workspace, [[owner.user, 'ADMIN']])
        return [select(elsewhere.workspace.id), select(project.id, 'project')]
      },
    ],
    [
      'with a workspace that the user has left',
      async () => {
        const elsewhere = await makeOwner()
        await joinWorkspace(elsewhere.workspace, owner.user, 'ADMIN')
        await prisma().workspaceMember.deleteMany({
          where: { workspaceId: elsewhere.workspace.id, userId: owner.user.id },
        })
        return [select(elsewhere.workspace.id)]
      },
    ],
    [
      'with a workspace that requires two-factor authentication',
      async () => {
        const elsewhere = await makeOwner()
        await joinWorkspace(elsewhere.workspace, owner.user, 'ADMIN')
        await prisma().workspace.update({
          where: { id: elsewhere.workspace.id },
          data: { requireTwoFactor: true },
        })
        return [select(elsewhere.workspace.id)]
      },
    ],
  ])('%s authorizes nothing, and the device keeps waiting', async (_what, fields) => {
    const device = await begin()
    const answer = await pages.decide(String(device.user_code), 'authorize', await fields())
    expect(answer.get('refused')).toMatch(/selection|nothing-selected/)
    expect((await poll(device)).error).toBe('authorization_pending')
    expect(await prisma().authorization.count({ where: { clientId: app.clientId } })).toBe(0)
  })

  it.each([
    ['a forged ticket', async () => 'made-up'],
    [
      'a modified ticket',
      async (ticket: string) => `${ticket.slice(0, -2)}${ticket.endsWith('AA') ? 'BB' : 'AA'}`,
    ],
    ['a value encrypted for another purpose', async () => sealOutcome(`${'0'.repeat(64)} BCDF-GHJK`)],
    ['the user code in place of the ticket', async (_ticket: string, code: string) => code],
  ])('with %s does not match any device', async (_what, forge) => {
    const device = await begin({ scope: 'openid' })
    const ticket = await pages.ticketFor(String(device.user_code))
    const request = await forge(ticket, String(device.user_code))
    expect(await pages.submit(request, 'authorize')).toBe('/device?error=gone')
    expect((await poll(device)).error).toBe('authorization_pending')
  })
})

const within: [string, () => Promise<unknown>][] = [
  ['blocks the app', () => blockApp(session, workspaceId, app.clientId)],
  ['requires approval for apps', () => setPolicy(session, workspaceId, { policy: 'APPROVED' })],
  ['allows only its own apps', () => setPolicy(session, workspaceId, { policy: 'OWN' })],
  [
    'lets its approval expire',
    async () => {
      await setPolicy(session, workspaceId, { policy: 'APPROVED' })
      await approveApp(session, workspaceId, app.clientId, { scopes: ['workspace:admin'] })
      await prisma().workspaceApp.updateMany({ where: { workspaceId }, data: { expiresAt: new Date(0) } })
    },
  ],
]

describe.each(within)('a workspace that %s', (_what, change) => {
  it.each([
    ['the workspace', 'workspace'],
    ['a project in the workspace', 'project'],
  ])(
    'prevents the selection of %s even if it does so after the user enters the code',
    async (_when, kind) => {
      const device = await begin()
      const ticket = await pages.ticketFor(String(device.user_code))
      await change()
      const id = kind === 'project' ? owner.project.id : workspaceId
      expect(await pages.submit(ticket, 'authorize', [select(id, kind)])).toContain('refused=selection')
      expect((await poll(device)).error).toBe('authorization_pending')
    },
  )

  it('gives the token no access even if it does so between the decision and the next poll', async () => {
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    await change()
    const { token } = await poll(device)
    expect(await readsProject(token)).toBe('APP_NOT_APPROVED')
  })
})

describe('scopes that the app is not allowed to request', () => {
  it('give no access if they are removed from the app’s allowed scopes before or after the user’s decision', async () => {
    const before = await begin()
    await update({ allowedScopes: ['openid'] })
    await pages.decide(String(before.user_code), 'authorize', [select(workspaceId)])
    expect(await readsProject((await poll(before)).token)).toBe('INSUFFICIENT_SCOPE')
    const granted = await prisma().authorization.findFirst({ where: { clientId: app.clientId } })
    expect(granted?.scopes ?? []).not.toContain('workspace:admin')

    app = await vendor.makeApp(native)
    const after = await begin()
    await pages.decide(String(after.user_code), 'authorize', [select(workspaceId)])
    await update({ allowedScopes: ['openid'] })
    expect(await readsProject((await poll(after)).token)).toBe('INSUFFICIENT_SCOPE')
  })

  it('give no access if a device requests them', async () => {
    app = await vendor.makeApp({ ...native, allowedScopes: ['openid'] })
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    expect(await readsProject((await poll(device)).token)).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('a device flow that is interrupted', () => {
  it.each<[string, (userId: string) => Promise<unknown>]>([
    [
      'the user is suspended',
      (id) => prisma().user.update({ where: { id }, data: { suspendedAt: new Date() } }),
    ],
    ['the app is disabled', () => update({ disabledAt: new Date() })],
    ['the app is deleted', () => prisma().oAuthClient.delete({ where: { id: app.clientId } })],
    ['the app returns to development', () => update({ inDevelopment: true })],
    [
      'the authorization is revoked',
      (userId) => prisma().$transaction((tx) => endAuthorizations(tx, { userId })),
    ],
  ])('issues no token if %s after the user authorizes the device', async (_what, change) => {
    const user = await makeUser()
    const device = await begin({ scope: 'openid' })
    const own = await userAtDevicePages(user.id)
    const answer = await own.decide(String(device.user_code), 'authorize')
    expect(answer.get('done')).toBe('authorized')
    await change(user.id)
    expect((await poll(device)).status).toBe(400)
  })

  it.each<[string, (userId: string) => Promise<unknown>, RegExp]>([
    [
      'the user is suspended',
      (id) => prisma().user.update({ where: { id }, data: { suspendedAt: new Date() } }),
      /^\/login/,
    ],
    [
      'the session ends',
      (userId) => prisma().session.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
      /^\/login/,
    ],
    ['the app is disabled', () => update({ disabledAt: new Date() }), /error=gone/],
    ['the app returns to development', () => update({ inDevelopment: true }), /refused=/],
    ['the app awaits approval', () => update({ awaitingApproval: true }), /refused=/],
  ])('authorizes nothing if %s before the user authorizes the device', async (_what, change, leads) => {
    const user = await makeUser()
    const device = await begin({ scope: 'openid' })
    const own = await userAtDevicePages(user.id)
    const ticket = await own.ticketFor(String(device.user_code))
    await change(user.id)
    expect(await own.submit(ticket, 'authorize')).toMatch(leads)
    expect(await prisma().authorization.count({ where: { userId: user.id } })).toBe(0)
    expect((await poll(device)).status).toBe(400)
  })

  it('gives no access if the app moves to another workspace and is no longer allowed', async () => {
    app = await owner.makeApp(native)
    await setPolicy(session, workspaceId, { policy: 'OWN' })
    const device = await begin()
    await pages.decide(String(device.user_code), 'authorize', [select(workspaceId)])
    await update({ workspaceId: vendor.workspace.id })
    const { status, token } = await poll(device)
    expect(status === 200 ? await readsProject(token) : 'no token').not.toBe('ok')
  })
})

describe('several users with one code', () => {
  it('can make only one decision, and the token is for the user who made it', async () => {
    const device = await begin({ scope: 'openid' })
    const users = [owner.user, await makeUser(), await makeUser()]
    const answers = await Promise.all(
      users.map(async ({ id }) => {
        const own = await userAtDevicePages(id)
        return (await own.decide(String(device.user_code), 'authorize')).get('done')
      }),
    )
    expect(answers.filter((done) => done === 'authorized')).toHaveLength(1)
    const winner = users[answers.indexOf('authorized')]
    expect(decodeJwt((await poll(device)).idToken).sub).toBe(winner?.id)
  })

  it('cannot override each other’s decisions', async () => {
    for (const [first, second, error] of [
      ['authorize', 'deny', undefined],
      ['deny', 'authorize', 'access_denied'],
    ] as const) {
      const device = await begin({ scope: 'openid' })
      const eve = await userAtDevicePages((await makeUser()).id)
      const ticket = await eve.ticketFor(String(device.user_code))
      await pages.decide(String(device.user_code), first)
      expect(await eve.submit(ticket, second)).toBe('/device?error=gone')
      expect((await poll(device)).error).toBe(error)
    }
  })
})

describe('a device that requires a strong or recent sign-in', () => {
  const decision = async (device: Record<string, string>, by = pages) =>
    by.submit(await by.ticketFor(String(device.user_code)), 'authorize')

  it.each(['-1', 'abc', '1e9x'])('cannot send max_age=%s', async (max_age) => {
    expect((await begin({ scope: 'openid', max_age })).error).toBe('invalid_request')
  })

  it('requires a new sign-in for a session that is too old', async () => {
    const user = await makeUser()
    const own = await userAtDevicePages(user.id)
    const device = await begin({ scope: 'openid', max_age: '60' })
    await prisma().session.updateMany({
      where: { userId: user.id },
      data: { createdAt: new Date(Date.now() - 61_000) },
    })
    expect(await decision(device, own)).toMatch(/^\/login/)
    expect((await poll(device)).error).toBe('authorization_pending')
  })

  it('with max_age 0, accepts only a sign-in that follows its request', async () => {
    const user = await makeUser()
    const before = await userAtDevicePages(user.id)
    const device = await begin({ scope: 'openid', max_age: '0' })
    expect(await decision(device, before)).toMatch(/^\/login/)
    const after = await userAtDevicePages(user.id)
    expect(await decision(device, after)).toContain('done=authorized')
  })

  it('gets no token from a one-factor session if it requires two factors', async () => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } })
    const device = await begin({ scope: 'openid', claims })
    expect(await decision(device)).not.toContain('done=authorized')
    expect((await poll(device)).status).toBe(400)
  })
})
