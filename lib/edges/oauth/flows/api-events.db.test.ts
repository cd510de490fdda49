import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { runShutdownTasks } from '@/lib/base/process/background'
import { makeLogoutToken } from '@/lib/edges/oauth/engine/provider'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { deleteApp } from '@/lib/features/apps/update-app'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { suspendUser } from '@/lib/features/instance-admin/manage-users'
import { updateApi } from '@/lib/features/resources/change-apis'
import { apiEventQueue } from '@/lib/features/resources/events'
import type { SessionActor } from '@/lib/policy/actor'
import { startJobs } from '@/lib/server/jobs'
import { makeApi, makeApiAdmin, requestFor, type TestApi } from '@/lib/testing/api-world'
import { eventually, sessionOf } from '@/lib/testing/logout-world'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOwner } from '@/lib/testing/oauth-world'
import { startOutsideServer } from '@/lib/testing/tls-server'

await startOAuthServer()
const answer = { status: 202 }
const heard: { path: string; type: string | undefined; token: string }[] = []
const receiver = await startOutsideServer(async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  heard.push({
    path: String(req.url),
    type: req.headers['content-type'],
    token: Buffer.concat(chunks).toString(),
  })
  res.writeHead(answer.status).end()
})
await startJobs(makeLogoutToken)
afterAll(async () => {
  await runShutdownTasks()
  await receiver.close()
})

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
  const api = await makeApi({ tokenFormat: 'JWT', eventsUrl: `${receiver.origin}/events` })
  const owner = await makeOwner()
  const app = await owner.makeApp()
  const sid = await startSession({}, owner.user.id, ['pwd'])
  const browser = new TestBrowser(await sessionCookie({ sub: owner.user.id, sid }))
  const grant = (to: TestApp, toApi: TestApi) =>
    signInToApp(browser, to, { ...requestFor(toApi), prompt: 'consent' }, { projects: [owner.project.id] })
  await grant(app, api)
  return { api, owner, app, grant, actor: sessionOf(owner.user.id, sid) }
}

const revoke = async (actor: SessionActor, app: TestApp) => {
  const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
  await revokeAuthorization(actor, id)
}

beforeEach(async () => {
  answer.status = 202
  await prisma().api.deleteMany()
  heard.length = 0
})

describe('an API with an event URL', () => {
  const ends: Record<string, (made: Awaited<ReturnType<typeof makeReceiver>>) => Promise<unknown>> = {
    'revokes the authorization': ({ actor, app }) => revoke(actor, app),

    'deletes the app': ({ actor, app }) => deleteApp(actor, app.clientId),
  }
  it.each(Object.entries(ends))('receives a signed event when the user %s', async (_name, end) => {
    const made = await makeReceiver()
    await end(made)
    await eventually(() => expect(heard).toHaveLength(1))
    const [{ path, type, token } = { path: '', type: '', token: '' }] = heard
    expect([path, type]).toEqual(['/events', 'application/secevent+jwt'])
    expect(await verified(made.api, token)).toMatchObject({
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
      heard.length = 0
      const { api, owner, app, actor } = await makeReceiver()
      await way(actor)
      await eventually(() => expect(heard).toHaveLength(1))
      expect(await verified(api, heard[0]?.token ?? '')).toMatchObject({
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
    await eventually(() => expect(heard).toHaveLength(2))
    const [first, second] = heard.map(({ token }) => JSON.parse(atob(token.split('.')[1] ?? '')).jti)
    expect(second).toBe(first)
  })

  it('receives no event when a user revokes an app that has access only to another API', async () => {
    const { api, owner, app, actor, grant } = await makeReceiver()
    const other = await makeApi({ tokenFormat: 'JWT', eventsUrl: `${receiver.origin}/other` })
    const silent = await makeApi({ tokenFormat: 'JWT' })
    const second = await owner.makeApp()
    await grant(second, silent)
    await revoke(actor, second)
    await revoke(actor, app)
    await eventually(() => expect(heard).toHaveLength(1))
    await verified(api, heard[0]?.token ?? '')
    expect(heard.map(({ path }) => path)).toEqual(['/events'])
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
