import { describe, expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { requireInstallable } from '@/lib/features/app-access/installations'
import { previewDevelopment } from '@/lib/features/apps/activity/revoke-users'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { introspect, queryApi } from '@/lib/testing/app-requests'
import { joinWorkspace, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { makeInstallationWorld } from '@/lib/testing/installation-world'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import {
  authorize,
  offline,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { native, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

const { owner } = await startOAuthWorld()
const { workspace, project } = owner

const mark = (app: TestApp, inDevelopment: boolean) =>
  prisma().oAuthClient.update({
    where: { id: app.clientId },
    data: { inDevelopment, version: { increment: 1 } },
  })

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
    const answer = await browser.submit(`${page}/decision`, [['decision', 'authorize']])
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
    const actor = { kind: 'session', userId: user.id, sessionId: '', instanceAdmin: true } as const
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
    const exchange = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
    expect((await requestToken(app, exchange)).body.error).toBe('invalid_grant')
    expect((await pollDevice(app, String(body.device_code))).body.error).toBe('invalid_grant')
  })

  it('has no effect after the user leaves the workspace, and the preview of affected users counts that user', async () => {
    const app = await owner.makeApp()
    const user = await joined('MEMBER')
    const member = await signedIn(app, user)
    await signedIn(app, await makeUser())
    const actor = { kind: 'session', userId: owner.user.id, sessionId: '', instanceAdmin: false } as const
    expect(await previewDevelopment(actor, app.clientId)).toMatchObject({ users: 1, installations: 0 })
    await mark(app, true)
    expect((await works(app, member)).api).toBe('ok')
    await prisma().workspaceMember.deleteMany({ where: { userId: user.id, workspaceId: workspace.id } })
    expect(await works(app, member)).toEqual(none)
    expect((await previewDevelopment(actor, app.clientId)).users).toBe(2)
  })

  it('has no effect during development if it belongs to an installation in another workspace', async () => {
    const { app, token, customer } = await makeInstallationWorld(owner)
    const access = await token()
    const read = `{ workspace(workspaceId: "${customer.workspace.id}") { id } }`
    expect((await queryApi(access, read)).code).toBe('ok')
    const actor = { kind: 'session', userId: owner.user.id, sessionId: '', instanceAdmin: false } as const
    expect(await previewDevelopment(actor, app.clientId)).toEqual({
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
