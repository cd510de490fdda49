import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { answerActivityExport } from '@/lib/edges/web/exports'
import { listActivity } from '@/lib/features/apps/activity/list-activity'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { removeStale } from '@/lib/features/apps/remove-stale'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser } from '@/lib/testing/factories'
import { beginDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorize, requestToken, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { native, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner } = await startOAuthWorld()

const session = ({ id }: { id: string }): SessionActor => ({
  kind: 'session',
  userId: id,
  sessionId: randomUUID(),
  instanceAdmin: false,
})
const admin = session(owner.user)
const page = { limit: 50, backward: false, after: null, before: null }

const happened = async (app: TestApp, filter = {}) =>
  (await listActivity(admin, app.clientId, page, filter)).rows

const kindsOf = async (app: TestApp, filter = {}) =>
  (await happened(app, filter)).map(({ kind }) => kind).reverse()

async function stranger() {
  const user = await makeUser()
  return { user, browser: await signedInBrowser(user.id) }
}

describe('the activity of an app', () => {
  it('lists grants, revocations, and sign-ins with their scopes, but no email address after a revocation', async () => {
    const app = await owner.makeApp()
    const { user, browser } = await stranger()
    await signInToApp(browser, app, { scope: 'openid email' })
    await signInToApp(browser, app, { scope: 'openid email' })
    expect(await kindsOf(app)).toEqual(['GRANTED', 'SIGNED_IN', 'SIGNED_IN'])
    const [signedIn] = await happened(app, { kind: 'SIGNED_IN' })
    expect(signedIn).toMatchObject({
      userId: user.id,
      email: user.email,
      name: null,
      scopes: ['openid', 'email'],
      traceId: expect.stringMatching(/\S/),
      ip: expect.stringMatching(/127\.0\.0\.1|::1/),
    })
    const { id } = await prisma().authorization.findFirstOrThrow({ where: { userId: user.id } })
    await revokeAuthorization(session(user), id)
    const rows = await happened(app)
    expect(rows[0]).toMatchObject({ kind: 'REVOKED', userId: user.id, ip: null })
    // After a revocation, the app's admins no longer see the email address.
    expect(rows.map(({ email }) => email)).toEqual([null, null, null, null])
  })

  it('lists denials in a browser and on a device', async () => {
    const { user, browser } = await stranger()
    const app = await owner.makeApp()
    await authorize(browser, app, {}, { decision: 'deny' })
    expect(await happened(app)).toMatchObject([{ kind: 'DENIED', userId: user.id, scopes: ['openid'] }])
    const cli = await owner.makeApp(native)
    const pages = await userAtDevicePages(user.id)
    for (const decision of ['deny', 'authorize']) {
      const { body } = await beginDevice(cli)
      await pages.decide(body.user_code as string, decision)
    }
    expect(await kindsOf(cli)).toEqual(['DENIED', 'GRANTED', 'SIGNED_IN'])
  })

  it('lists errors with the error code and the trace ID, without secrets', async () => {
    const app = await owner.makeApp()
    const { headers } = await requestToken(app, {
      grant_type: 'authorization_code',
      code: 'lk_code_made_up',
      redirect_uri: app.redirectUri,
    })
    const [refused] = await happened(app)
    expect(refused).toMatchObject({ kind: 'REFUSED', error: 'invalid_grant', userId: null })
    expect(refused?.traceId).toBe(headers.get('x-request-id'))
    expect(JSON.stringify(refused)).not.toContain('made_up')
    expect(JSON.stringify(refused)).not.toContain(app.secret)
  })

  it('can be filtered by kind, user ID, trace ID, and part of the error code, but not by a hidden email address', async () => {
    const app = await owner.makeApp()
    const { user, browser } = await stranger()
    await signInToApp(browser, app)
    await requestToken(app, { grant_type: 'refresh_token', refresh_token: 'none' })
    const [refused] = await happened(app, { kind: 'REFUSED' })
    expect(await kindsOf(app, { search: user.id })).toEqual(['GRANTED', 'SIGNED_IN'])
    expect(await kindsOf(app, { search: refused?.traceId })).toEqual(['REFUSED'])
    expect(await kindsOf(app, { search: 'invalid_GR' })).toEqual(['REFUSED'])
    expect(await kindsOf(app, { search: '%' })).toEqual([])
    // A search for a hidden address has no results.
    expect(await kindsOf(app, { search: user.email })).toEqual([])
  })

  it('is hidden and deleted after thirty days', async () => {
    const app = await owner.makeApp()
    const old = new Date(Date.now() - 31 * 86_400_000)
    const { id } = await prisma().appEvent.create({
      data: { clientId: app.clientId, kind: 'DENIED', createdAt: old },
    })
    expect(await happened(app)).toEqual([])
    await removeStale()
    expect(await prisma().appEvent.count({ where: { id } })).toBe(0)
  })

  it('can be filtered and exported only by users who manage the app, and each export is recorded', async () => {
    const app = await owner.makeApp()
    const { user, browser } = await stranger()
    await signInToApp(browser, app, { scope: 'openid email' })
    const cookieOf = async (userId: string) =>
      (await sessionCookie({ sub: userId, sid: await startSession({}, userId, ['pwd']) })).split(
        ';',
        1,
      )[0] as string
    const ask = async (userId: string, init: { method?: string; site?: string } = {}) =>
      answerActivityExport(
        new Request(`${config().BASE_URL}/export?kind=SIGNED_IN`, {
          method: init.method ?? 'GET',
          headers: { cookie: await cookieOf(userId), 'sec-fetch-site': init.site ?? 'same-origin' },
        }),
        app.clientId,
      )
    const exports = () =>
      prisma().auditEvent.count({
        where: { action: 'oauth_app.activity_exported', resourceId: app.clientId },
      })
    expect((await ask(owner.user.id, { method: 'HEAD' })).status).toBe(200)
    expect((await ask(owner.user.id, { site: 'cross-site' })).status).toBe(403)
    expect((await ask(user.id)).status).toBe(404)
    expect(await exports()).toBe(0)
    const file = await ask(owner.user.id)
    expect(file.headers.get('content-disposition')).toMatch(/filename="activity-.*\.csv"/)
    const lines = (await file.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`SIGNED_IN,${user.id},,${user.email},openid email`)
    expect(await exports()).toBe(1)
  })

  it('is hidden from users who do not manage the app', async () => {
    const app = await owner.makeApp()
    const { user } = await stranger()
    await expect(listActivity(session(user), app.clientId, page)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
