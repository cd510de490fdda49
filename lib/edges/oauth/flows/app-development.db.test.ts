import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { answerActivityExport } from '@/lib/edges/web/exports'
import { requireInstallable } from '@/lib/features/app-access/installations'
import { listActivity } from '@/lib/features/apps/activity/list-activity'
import { previewDevelopment } from '@/lib/features/apps/activity/revoke-users'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { removeStale } from '@/lib/features/apps/remove-stale'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { introspect, queryApi } from '@/lib/testing/app-requests'
import { joinWorkspace, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { openConsent, outcome, submitConsent } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import {
  authorize,
  codeGrant,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { changeApp, native, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

/** Apps in development: which users can use them, and the activity that their developers see. */
const { owner } = await startOAuthWorld()
const { workspace, project } = owner
const admin = sessionOf(owner)

const mark = (app: TestApp, inDevelopment: boolean) => changeApp(app, { inDevelopment })

/**
 * Users by their relation to the workspace. A guest is a member of one of the workspace's projects, but not
 * of the workspace.
 */
const users = {
  ADMIN: async () => owner.user,
  MEMBER: async () => joined('MEMBER'),
  VIEWER: async () => joined('VIEWER'),
  guest: async () => {
    const user = await makeUser()
    await prisma().projectMember.create({
      data: { projectId: project.id, userId: user.id, role: 'ADMIN' },
    })
    return user
  },
  'admin of another workspace': async () => {
    const user = await makeUser()
    await makeProject(await makeWorkspace([[user, 'ADMIN']]))
    return user
  },
} as const
type Who = keyof typeof users

async function joined(role: 'MEMBER' | 'VIEWER') {
  const user = await makeUser()
  await joinWorkspace(workspace, user, role)
  return user
}

const authorizedBy = (app: TestApp, user: { id: string }) =>
  prisma().authorization.count({ where: { clientId: app.clientId, userId: user.id } })

/** The flows that authorize an app. Each returns whether the app was authorized. */
const flows = {
  'the consent page': async (app: TestApp, user: { id: string }) => {
    const browser = await signedInBrowser(user.id)
    return signInToApp(browser, app).then(
      ({ status }) => status === 200,
      () => false,
    )
  },
  'a forged decision': async (app: TestApp, user: { id: string }) => {
    const browser = await signedInBrowser(user.id)
    const page = await openConsent(browser, app)
    const answer = await submitConsent(browser, page)
    return answer.headers.get('location')?.includes('code=') ?? false
  },
  'an earlier authorization': async (app: TestApp, user: { id: string }) => {
    await prisma().authorization.create({
      data: { clientId: app.clientId, userId: user.id, scopes: ['openid'] },
    })
    const got = await outcome(await signedInBrowser(user.id), app)
    await prisma().authorization.deleteMany({ where: { clientId: app.clientId, userId: user.id } })
    return got === 'code'
  },
  'prompt=none': async (app: TestApp, user: { id: string }) => {
    await prisma().authorization.create({
      data: { clientId: app.clientId, userId: user.id, scopes: ['openid'] },
    })
    const got = await outcome(await signedInBrowser(user.id), app, { prompt: 'none' })
    await prisma().authorization.deleteMany({ where: { clientId: app.clientId, userId: user.id } })
    return got === 'code'
  },
  'a device': async (app: TestApp, user: { id: string }) => {
    const pages = await userAtDevicePages(user.id)
    const { body } = await beginDevice(app)
    await pages.decide(body.user_code as string, 'authorize')
    return (await pollDevice(app, body.device_code as string)).status === 200
  },
  'saveAuthorization itself': async (app: TestApp, user: { id: string }) => {
    const actor = { ...sessionOf({ user }), instanceAdmin: true }
    const input = { clientId: app.clientId, scopes: ['openid'], workspaceIds: [], projectIds: [] }
    return saveAuthorization(actor, input).then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'APP_IN_DEVELOPMENT' })
        return false
      },
    )
  },
} as const

describe.each(Object.keys(users) as Who[])('a user with the relation “%s” to the app’s workspace', (who) => {
  const member = ['ADMIN', 'MEMBER', 'VIEWER'].includes(who)

  it.each(Object.keys(flows) as (keyof typeof flows)[])(
    'can use an app through %s if the app is in production, and in development only as a member',
    async (flow) => {
      const user = await users[who]()
      for (const inDevelopment of [true, false]) {
        const app = await owner.makeApp()
        await mark(app, inDevelopment)
        expect(await flows[flow](app, user), `in development: ${inDevelopment}`).toBe(
          member || !inDevelopment,
        )
        if (!member && inDevelopment) expect(await authorizedBy(app, user)).toBe(0)
      }
    },
  )
})

it('a device of an app in development receives access_denied if an external user denies access', async () => {
  const app = await owner.makeApp(native)
  await mark(app, true)
  const stranger = await makeUser()
  const { body } = await beginDevice(app)
  await (await userAtDevicePages(stranger.id)).decide(body.user_code as string, 'deny')
  expect((await pollDevice(app, body.device_code as string)).body.error).toBe('access_denied')
})

describe('access granted before the app went into development', () => {
  const signedIn = async (app: TestApp, user: { id: string }) => {
    const browser = await signedInBrowser(user.id)
    const { body } = await signInToApp(browser, app, offline)
    return { browser, access: String(body.access_token), renewal: String(body.refresh_token) }
  }
  const works = async (app: TestApp, { access, renewal }: { access: string; renewal: string }) => ({
    api: (await queryApi(access, '{ me { id } }')).code,
    claims: (await userinfo(access)).status,
    introspection: (await introspect(app, access)).active,
    refresh: (await refresh(app, renewal)).status,
  })
  const all = { api: 'ok', claims: 200, introspection: true, refresh: 200 }
  const none = { api: 'UNAUTHENTICATED', claims: 401, introspection: false, refresh: 400 }

  it('has no effect for external users during development, and works again afterwards', async () => {
    const app = await owner.makeApp()
    const stranger = await signedIn(app, await makeUser())
    const member = await signedIn(app, await joined('VIEWER'))
    await mark(app, true)
    expect(await works(app, stranger)).toEqual(none)
    expect(await works(app, member)).toEqual(all)
    expect(await outcome(stranger.browser, app, { prompt: 'none' })).toBe('page')
    await mark(app, false)
    expect(await works(app, stranger)).toEqual(all)
  })

  it('does not let the app redeem an external user’s pending code or device code', async () => {
    const app = await owner.makeApp()
    const stranger = await makeUser()
    const code = (await authorize(await signedInBrowser(stranger.id), app)).get('code')
    const { body } = await beginDevice(app)
    await (await userAtDevicePages(stranger.id)).decide(String(body.user_code), 'authorize')
    await mark(app, true)
    const exchange = codeGrant(app, code)
    expect((await requestToken(app, exchange)).body.error).toBe('invalid_grant')
    expect((await pollDevice(app, String(body.device_code))).body.error).toBe('invalid_grant')
  })

  it('has no effect after the user leaves the workspace, and the preview of affected users counts that user', async () => {
    const app = await owner.makeApp()
    const user = await joined('MEMBER')
    const member = await signedIn(app, user)
    await signedIn(app, await makeUser())
    expect(await previewDevelopment(admin, app.clientId)).toMatchObject({ users: 1, installations: 0 })
    await mark(app, true)
    expect((await works(app, member)).api).toBe('ok')
    await prisma().workspaceMember.deleteMany({ where: { userId: user.id, workspaceId: workspace.id } })
    expect(await works(app, member)).toEqual(none)
    expect((await previewDevelopment(admin, app.clientId)).users).toBe(2)
  })

  it('has no effect during development if it belongs to an installation in another workspace', async () => {
    const { app, token, customer } = await makeInstallationWorld(owner)
    const access = await token()
    const read = `{ workspace(workspaceId: "${customer.workspace.id}") { id } }`
    expect((await queryApi(access, read)).code).toBe('ok')
    expect(await previewDevelopment(admin, app.clientId)).toEqual({
      users: 0,
      installations: 1,
      workspaces: [customer.workspace.name],
    })
    await mark(app, true)
    expect((await queryApi(access, read)).code).toBe('UNAUTHENTICATED')
    expect(await token()).toBeUndefined()
    await mark(app, false)
    expect((await queryApi(access, read)).code).toBe('ok')
  })
})

it('a user who leaves the workspace can no longer sign in to its app in development', async () => {
  const app = await owner.makeApp()
  await mark(app, true)
  const user = await joined('MEMBER')
  const browser = await signedInBrowser(user.id)
  expect((await signInToApp(browser, app)).status).toBe(200)
  await prisma().workspaceMember.deleteMany({ where: { userId: user.id, workspaceId: workspace.id } })
  expect(await outcome(browser, app, { prompt: 'none' })).toBe('page')
})

it('an app in development can be installed only in its own workspace', async () => {
  const app = await owner.makeApp()
  await prisma().oAuthClient.update({
    where: { id: app.clientId },
    data: { inDevelopment: true, installScopes: ['workspace:viewer'] },
  })
  const elsewhere = await makeWorkspace([[await makeUser(), 'ADMIN']])
  await expect(requireInstallable(app.clientId, elsewhere.id)).rejects.toMatchObject({
    code: 'APP_IN_DEVELOPMENT',
  })
  expect((await requireInstallable(app.clientId, workspace.id)).id).toBe(app.clientId)
})

describe('the activity of an app', () => {
  const page = { limit: 50, backward: false, after: null, before: null }

  const happened = async (app: TestApp, filter = {}) =>
    (await listActivity(admin, app.clientId, page, filter)).rows

  const kindsOf = async (app: TestApp, filter = {}) =>
    (await happened(app, filter)).map(({ kind }) => kind).reverse()

  async function stranger() {
    const user = await makeUser()
    return { user, browser: await signedInBrowser(user.id) }
  }

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
    await revokeAuthorization(sessionOf({ user }), id)
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
    const { headers } = await requestToken(app, codeGrant(app, 'lk_code_made_up'))
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
    await expect(listActivity(sessionOf({ user }), app.clientId, page)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
