import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { answerSignOut } from '@/lib/edges/web/sign-in/answer-sign-in-forms'
import { listFailures } from '@/lib/features/apps/activity/failures'
import { searchAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApp, updateApp } from '@/lib/features/apps/update-app'
import { removeDemo } from '@/lib/features/demo/remove-demo'
import { deleteAccount } from '@/lib/features/identity/delete-account'
import { mintEmailToken } from '@/lib/features/identity/email/email-tokens'
import {
  endOwnSession,
  revokeOtherSessions,
  revokeSession,
} from '@/lib/features/identity/sessions/end-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { changePassword } from '@/lib/features/identity/users/password'
import { resetPassword } from '@/lib/features/identity/users/reset-password'
import { removeTwoFactorMethods, signOutUser, suspendUser } from '@/lib/features/instance-admin/manage-users'
import { updateApi } from '@/lib/features/resources/change-apis'
import { apiEventQueue } from '@/lib/features/resources/events'
import type { SessionActor } from '@/lib/policy/actor'
import { makeApi, makeApiAdmin, signInForApi, type TestApi } from '@/lib/testing/api-world'
import { registerApp } from '@/lib/testing/app-requests'
import { makeUser, testPassword } from '@/lib/testing/factories'
import { eventually, sessionOf, startLogoutWorld } from '@/lib/testing/logout-world'
import { signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Requests from the server to apps and APIs: logout tokens, and events about revoked tokens and sessions. */
const { owner, web } = await startOAuthWorld()
const { answer, heard, jobs, origin, requests, sids, signInAnew, signedIn } = await startLogoutWorld()

describe('back-channel logout', () => {
  /** Runs an action as an instance admin. */
  const asInstanceAdmin = async (act: (actor: SessionActor) => Promise<unknown>) =>
    act({ ...sessionOf((await makeUser({ instanceAdmin: true })).id), instanceAdmin: true })

  describe('an app with back-channel logout', () => {
    it('receives a logout token that matches its ID token, signed with a published key', async () => {
      const { actor, app, owner, idToken } = await signedIn()
      expect(idToken.sid).toBeTruthy()
      await endOwnSession(actor)
      await eventually(() => expect(heard).toHaveLength(1))
      const keys = createRemoteJWKSet(new URL('/oauth/jwks', config().BASE_URL))
      const { payload, protectedHeader } = await jwtVerify(heard[0] as string, keys, {
        issuer: `${config().BASE_URL}/oauth`,
        audience: app.clientId,
        typ: 'logout+jwt',
        maxTokenAge: 120,
      })
      expect(payload).toMatchObject({
        sub: owner.user.id,
        sid: idToken.sid,
        jti: expect.any(String),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
      expect(payload).not.toHaveProperty('nonce')
      expect(protectedHeader.kid).toBeTruthy()
      await eventually(async () =>
        expect(await prisma().appSignIn.count({ where: { clientId: app.clientId } })).toBe(0),
      )
    })

    const ends: Record<string, (actor: SessionActor) => Promise<unknown>> = {
      'signs out in the console': async ({ userId, sessionId }) =>
        answerSignOut(
          new Request(new URL('/logout', config().BASE_URL), {
            method: 'POST',
            headers: {
              origin: config().BASE_URL,
              cookie: (await sessionCookie({ sub: userId, sid: sessionId })).split(';', 1)[0] as string,
            },
            body: new URLSearchParams(),
          }),
        ),
      'ends the session under Account > Sessions': (actor) =>
        revokeSession(sessionOf(actor.userId), actor.sessionId),
      'signs out everywhere else': (actor) => revokeOtherSessions(sessionOf(actor.userId)),
      'changes the password in another browser': (actor) =>
        changePassword(sessionOf(actor.userId), {
          current: testPassword,
          password: 'another horse battery staple',
        }),
      'resets the password by email': async ({ userId }) => {
        const { email } = await prisma().user.findUniqueOrThrow({ where: { id: userId } })
        const token = await mintEmailToken(prisma(), { purpose: 'RESET_PASSWORD', userId, email })
        await resetPassword({}, { token, password: 'another horse battery staple' })
      },
      'is suspended by the instance admin': ({ userId }) => asInstanceAdmin((by) => suspendUser(by, userId)),
      'is signed out everywhere by the instance admin': ({ userId }) =>
        asInstanceAdmin((by) => signOutUser(by, userId)),
      'has their two-factor methods removed by the instance admin': ({ userId }) =>
        asInstanceAdmin((by) => removeTwoFactorMethods(by, userId)),
    }
    it.each(Object.keys(ends))('receives a logout token when the user %s', async (how) => {
      const { actor, idToken } = await signedIn()
      await ends[how]?.(actor)
      await eventually(() => expect(sids()).toEqual([idToken.sid]))
    })

    it('receives only one logout token for a sign-out that it started', async () => {
      const { browser, app, idToken } = await signedIn()
      const page = await browser.request(`/oauth/session/end?client_id=${app.clientId}`)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] as string
      await browser.submit('/oauth/session/end/confirm', [
        ['xsrf', xsrf],
        ['logout', 'yes'],
      ])
      await eventually(async () =>
        expect(await prisma().appSignIn.count({ where: { clientId: app.clientId } })).toBe(0),
      )
      expect(sids()).toEqual([idToken.sid])
    })

    it('receives a logout token only for a session that ended, and only if that session signed in to the app', async () => {
      const { owner, app } = await signedIn()
      const other = await signInAnew(owner, app)
      const idle = await startSession({}, owner.user.id, ['pwd'])
      await endOwnSession(sessionOf(owner.user.id, idle))
      await endOwnSession(other.actor)
      await eventually(() => expect(sids()).toEqual([other.idToken.sid]))
      expect(await prisma().appSignIn.count({ where: { clientId: app.clientId, endedAt: null } })).toBe(1)
    })

    it('receives a logout token if another user signs in with the same browser, but not if the same user signs in again', async () => {
      const first = await signedIn()
      const { userId, sessionId } = first.actor
      const next = await startSession({}, userId, ['pwd'], { replaces: sessionId })
      const [moved] = await prisma().appSignIn.findMany({ where: { clientId: first.app.clientId } })
      expect(moved).toMatchObject({ sessionId: next, endedAt: null })
      const stranger = await makeUser()
      await startSession({}, stranger.id, ['pwd'], { replaces: next })
      await eventually(() => expect(sids()).toEqual([first.idToken.sid]))
    })

    it('receives a new sid at the next sign-in, so that a late logout token does not end that session', async () => {
      const { actor, browser, app, owner, idToken } = await signedIn()
      await endOwnSession(actor)
      const sid = await startSession({}, owner.user.id, ['pwd'])
      browser.setCookie(await sessionCookie({ sub: owner.user.id, sid }))
      const { body } = await signInToApp(browser, app)
      const again = decodeJwt(body.id_token as string).sid
      expect([undefined, idToken.sid]).not.toContain(again)
      await eventually(() => expect(sids()).toEqual([idToken.sid]))
    })

    it('is still recorded as signed in after the user revokes its authorization', async () => {
      const { actor, app } = await signedIn()
      const [authorization] = (await searchAuthorizations(actor, '', { number: 1, size: 25 })).rows
      await revokeAuthorization(actor, authorization?.id as string)
      const kept = await prisma().appSignIn.findFirst({ where: { clientId: app.clientId } })
      expect(kept).toMatchObject({ endedAt: null })
    })
  })

  describe('a failed delivery', () => {
    it('is retried, and is shown as an error on the app’s page only after the last attempt', async () => {
      answer.status = 503
      const { owner, actor, app: made } = await signedIn()
      await endOwnSession(actor)
      await eventually(() => expect(heard).toHaveLength(1))
      const { id } = await prisma().appSignIn.findFirstOrThrow({ where: { clientId: made.clientId } })
      const job = () => jobs.getJobById('backchannel-logout', id)
      await eventually(async () => expect(await job()).toMatchObject({ state: 'retry', retryLimit: 10 }))
      expect(await listFailures(sessionOf(owner.user.id), made.clientId)).toEqual([])
      // Simulate nine more attempts.
      await prisma()
        .$executeRaw`UPDATE pgboss.job SET retry_count = 9, start_after = now() WHERE id = ${id}::uuid`
      await eventually(async () => expect(await job()).toMatchObject({ state: 'failed' }))
      expect(await listFailures(sessionOf(owner.user.id), made.clientId)).toMatchObject([
        {
          endpoint: 'backchannel_logout',
          error: 'logout_not_delivered',
          reason: expect.stringContaining(`${origin}/logout responded with 503`),
        },
      ])
    })
  })

  it('notifies self-registered apps, and includes the sid only for apps that require it', async () => {
    const owner = await makeOwner()
    const register = async (changes: object) =>
      (
        await registerApp({
          redirect_uris: ['https://app.example.com/callback'],
          backchannel_logout_uri: `${origin}/logout`,
          ...changes,
        })
      ).app
    const signedIn = await signInAnew(owner, await register({ backchannel_logout_session_required: true }))
    const bySubject = await register({})
    const { body } = await signInToApp(signedIn.browser, bySubject)
    expect(decodeJwt(body.id_token as string)).not.toHaveProperty('sid')
    await endOwnSession(signedIn.actor)
    await eventually(() => expect(heard).toHaveLength(2))
    expect(new Set(sids())).toEqual(new Set([signedIn.idToken.sid, undefined]))
  })
})

describe('a logout URI that can never be reached', () => {
  const impossible = [
    ['http://app.example.com/logout', 'Use an address that begins with https://.'],
    ['https://app.example.com:5143/logout', 'Use port 443, the default port for https.'],
    ['https://10.0.0.1/logout', 'This address is not on the public internet.'],
    ['https://169.254.169.254/logout', 'This address is not on the public internet.'],
  ]
  it.each(impossible)('is rejected in a registration: %s', async (address, sentence) => {
    const { status, body } = await registerApp({
      redirect_uris: ['https://app.example.com/callback'],
      backchannel_logout_uri: address,
    })
    expect(status).toBe(400)
    expect(body).toEqual({
      error: 'invalid_client_metadata',
      error_description: `backchannel_logout_uri: ${sentence}`,
    })
  })

  it.each(impossible)('is rejected in the app’s settings: %s', async (address, sentence) => {
    const change = updateApp(sessionOf(owner.user.id), web.clientId, { backchannelLogoutUri: address })
    await expect(change).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { backchannelLogoutUri: sentence } },
    })
  })
})

describe('back-channel logout for deleted accounts', () => {
  /** Deleting an account deletes its sessions and sign-ins, but the apps must still get logout tokens. */

  const remove = async (actor: SessionActor, password = testPassword) => {
    const { email } = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
    return deleteAccount(actor, { confirm: email, password })
  }

  it('sends an app one logout token for each of the deleted user’s sign-ins, but none for other users', async () => {
    const { app, actor: other } = await signedIn()
    const user = await makeUser()
    const [one, two] = [await signInAnew({ user }, app), await signInAnew({ user }, app)]
    await remove(one.actor)
    await eventually(() => expect(sids().sort()).toEqual([one.idToken.sid, two.idToken.sid].sort()))
    const claims = decodeJwt(heard[0] as string)
    expect(claims).toMatchObject({ sub: user.id, aud: app.clientId })
    const left = await prisma().appSignIn.findMany({ where: { clientId: app.clientId } })
    expect(left).toMatchObject([{ sessionId: other.sessionId, endedAt: null }])
  })

  it('retries earlier notifications that failed', async () => {
    const { app } = await signedIn()
    const user = await makeUser()
    const [ended, going] = [await signInAnew({ user }, app), await signInAnew({ user }, app)]
    answer.status = 503
    await endOwnSession(ended.actor)
    await eventually(() => expect(heard).toHaveLength(1))
    const { id } = await prisma().appSignIn.findFirstOrThrow({ where: { sessionId: ended.actor.sessionId } })
    const earlier = () => jobs.getJobById('backchannel-logout', id)
    await eventually(async () => expect(await earlier()).toMatchObject({ state: 'retry' }))
    answer.status = 200
    await remove(going.actor)
    await eventually(() =>
      expect(new Set(sids().slice(1))).toEqual(new Set([ended.idToken.sid, going.idToken.sid])),
    )
  })

  it('sends no logout token if the deletion fails', async () => {
    const { app } = await signedIn()
    const user = await makeUser()
    const { actor, idToken } = await signInAnew({ user }, app)
    await expect(remove(actor, 'guessed')).rejects.toMatchObject({ details: { field: 'password' } })
    await endOwnSession(actor)
    await eventually(() => expect(sids()).toEqual([idToken.sid]))
  })

  it('notifies apps when demo users are deleted', async () => {
    await makeUser({ instanceAdmin: true })
    const { app } = await signedIn()
    const user = await makeUser()
    await prisma().user.update({ where: { id: user.id }, data: { demo: true } })
    const { idToken } = await signInAnew({ user }, app)
    await removeDemo()
    await eventually(() => expect(sids()).toEqual([idToken.sid]))
  })
})

describe('an API with an event URL', () => {
  const issuer = () => `${config().BASE_URL}/oauth`
  const types = 'https://schemas.openid.net/secevent'
  const tokensRevoked = `${types}/oauth/event-type/tokens-revoked`
  const sessionRevoked = `${types}/caep/event-type/session-revoked`

  /** Verifies a received token for an API. */
  const verified = async (api: TestApi, token: string) => {
    const keys = createRemoteJWKSet(new URL('/oauth/jwks', config().BASE_URL))
    const checks = { issuer: issuer(), audience: api.identifier, typ: 'secevent+jwt' }
    return (await jwtVerify(token, keys, checks)).payload
  }

  /** Creates an API with an event URL, and a user in a new browser who granted an app access to the API. */
  async function makeReceiver() {
    const api = await makeApi({ tokenFormat: 'JWT', eventsUrl: `${origin}/events` })
    const owner = await makeOwner()
    const app = await owner.makeApp()
    const { browser, actor } = await signInAnew(owner, app)
    const grant = (to: TestApp, toApi: TestApi) => signInForApi(toApi, { ...owner, browser }, to, '')
    await grant(app, api)
    return { api, owner, app, grant, actor }
  }

  const revoke = async (actor: SessionActor, app: TestApp) => {
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
    await revokeAuthorization(actor, id)
  }

  beforeEach(async () => {
    answer.status = 202
    await prisma().api.deleteMany()
  })

  const ends: Record<string, (made: Awaited<ReturnType<typeof makeReceiver>>) => Promise<unknown>> = {
    'revokes the authorization': ({ actor, app }) => revoke(actor, app),

    'deletes the app': ({ actor, app }) => deleteApp(actor, app.clientId),
  }
  it.each(Object.entries(ends))('receives a signed event when the user %s', async (_name, end) => {
    const made = await makeReceiver()
    await end(made)
    await eventually(() => expect(requests).toHaveLength(1))
    const [{ path, type, body } = { path: '', type: '', body: '' }] = requests
    expect([path, type]).toEqual(['/events', 'application/secevent+jwt'])
    expect(await verified(made.api, body)).toMatchObject({
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sub_id: { format: 'iss_sub', iss: issuer(), sub: made.owner.user.id },
      events: { [tokensRevoked]: { client_id: made.app.clientId, event_timestamp: expect.any(Number) } },
    })
  })

  it('receives an event when the user signs out or is suspended', async () => {
    const ways: ((actor: SessionActor) => Promise<unknown>)[] = [
      (actor) => endOwnSession(actor),
      async ({ userId }) => suspendUser(await makeApiAdmin(), userId),
    ]
    for (const way of ways) {
      requests.length = 0
      const { api, owner, app, actor } = await makeReceiver()
      await way(actor)
      await eventually(() => expect(requests).toHaveLength(1))
      expect(await verified(api, requests[0]?.body ?? '')).toMatchObject({
        sub_id: { sub: owner.user.id },
        events: { [sessionRevoked]: { client_id: app.clientId, sid: expect.any(String) } },
      })
      await eventually(async () =>
        expect(await prisma().appSignIn.count({ where: { clientId: app.clientId } })).toBe(0),
      )
    }
  })

  it('receives the same event again after it responds with an error', async () => {
    answer.status = 500
    const { actor, app } = await makeReceiver()
    await revoke(actor, app)
    const jobs = () =>
      pool().query<{ state: string; id: string }>(
        `SELECT id, state::text FROM pgboss.job WHERE name = $1 AND data->>'clientId' = $2`,
        [apiEventQueue, app.clientId],
      )
    await eventually(async () => expect((await jobs()).rows).toMatchObject([{ state: 'retry' }]))
    answer.status = 202
    await pool().query(`UPDATE pgboss.job SET start_after = now() WHERE name = $1`, [apiEventQueue])
    await eventually(() => expect(requests).toHaveLength(2))
    const [first, second] = requests.map(({ body }) => JSON.parse(atob(body.split('.')[1] ?? '')).jti)
    expect(second).toBe(first)
  })

  it('receives no event when a user revokes an app that has access only to another API', async () => {
    const { api, owner, app, actor, grant } = await makeReceiver()
    const other = await makeApi({ tokenFormat: 'JWT', eventsUrl: `${origin}/other` })
    const silent = await makeApi({ tokenFormat: 'JWT' })
    const second = await owner.makeApp()
    await grant(second, silent)
    await revoke(actor, second)
    await revoke(actor, app)
    await eventually(() => expect(requests).toHaveLength(1))
    await verified(api, requests[0]?.body ?? '')
    expect(requests.map(({ path }) => path)).toEqual(['/events'])
    expect(other.identifier).not.toBe(api.identifier)
  })
})

describe('the event URL', () => {
  it.each(['http://example.com/events', 'https://10.0.0.1/events', 'events'])(
    'is rejected if it is not a public https URL: %s',
    async (eventsUrl) => {
      const { id } = await makeApi()
      await expect(updateApi(await makeApiAdmin(), id, { eventsUrl })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'eventsUrl' },
      })
    },
  )

  it('is removed if it is set to an empty string', async () => {
    const { id } = await makeApi({ eventsUrl: 'https://hooks.example.com/events' })
    expect(await updateApi(await makeApiAdmin(), id, { eventsUrl: '' })).toMatchObject({ eventsUrl: null })
  })
})
