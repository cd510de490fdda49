import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { loadConsentView } from '@/lib/edges/oauth/interaction/consent-view'
import { listAppPeople } from '@/lib/features/app-access/list-app-people'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { pagePeople } from '@/lib/features/apps/activity/list-people'
import { pageAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { createApp } from '@/lib/features/apps/create-app'
import { getApp } from '@/lib/features/apps/read-apps'
import { updateApp } from '@/lib/features/apps/update-app'
import { allScopes } from '@/lib/policy/scopes'
import { askApi, introspect } from '@/lib/testing/app-requests'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, personAtDevicePages, pollDevice } from '@/lib/testing/oauth-device'
import { offline, refresh, requestToken, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner } = await startOAuthWorld()
const { browser, workspace } = owner
const actor = sessionOf(owner)
const workspaces = [workspace.id]
const first = { limit: 10, backward: false, after: null, before: null }

const limit = (app: TestApp, allowedScopes: readonly string[]) =>
  updateApp(actor, app.clientId, { allowedScopes })

const limited = async (...allowedScopes: string[]) => {
  const app = await owner.makeApp()
  await limit(app, allowedScopes)
  return app
}

const everything = allScopes.join(' ')

describe('a limit of what an app may ask for', () => {
  it('drops what is beyond it as if nobody knew it, at every door', async () => {
    const app = await limited('email', 'workspace:member')
    const got = 'openid email workspace:member workspace:viewer'
    const asked = { scope: everything, prompt: 'consent' }
    expect((await signInToApp(browser, app, asked, { workspaces })).body.scope).toBe(got)

    const pushed = await server.fetch('/oauth/request', {
      method: 'POST',
      body: new URLSearchParams({
        client_id: app.clientId,
        client_secret: String(app.secret),
        redirect_uri: app.redirectUri,
        response_type: 'code',
        ...asked,
      }),
    })
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    const answer = await browser.follow(
      `${config().BASE_URL}/oauth/auth?${new URLSearchParams({ client_id: app.clientId, request_uri })}`,
    )
    const page = new URL(answer.url).pathname
    const back = await browser.submit(`${page}/decision`, [
      ['decision', 'authorize'],
      ['workspace', workspace.id],
    ])
    const code = new URL(String(back.headers.get('location'))).searchParams.get('code')
    const fields = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
    expect((await requestToken(app, fields)).body.scope).toBe(got)

    const { body } = await beginDevice(app, { scope: everything })
    const pages = await personAtDevicePages(owner.person.id)
    await pages.decide(String(body.user_code), 'authorize', [['workspace', workspace.id]])
    expect((await pollDevice(app, String(body.device_code))).body.scope).toBe(got)
  })

  it('asks nobody again for what is dropped', async () => {
    const app = await limited('email')
    await signInToApp(browser, app, { scope: 'openid email' })
    expect(await outcome(browser, app, { scope: 'openid email profile', prompt: 'none' })).toBe('code')
  })

  it('counts at the next request when it becomes narrower, for all that was granted before', async () => {
    const app = await owner.makeApp()
    const { body } = await signInToApp(
      browser,
      app,
      { ...offline, scope: 'openid email profile offline_access workspace:admin' },
      { workspaces },
    )
    const token = String(body.access_token)
    const rename = `mutation { workspaceUpdate(id: "${workspace.id}", input: { name: "Named" }) { id } }`
    expect((await askApi(token, rename)).code).toBe('ok')
    expect((await userinfo(token)).body).toHaveProperty('name')

    await limit(app, ['email', 'offline_access', 'workspace:viewer'])
    expect((await askApi(token, rename)).code).toBe('INSUFFICIENT_SCOPE')
    expect((await askApi(token, `{ workspace(workspaceId: "${workspace.id}") { id } }`)).code).toBe('ok')
    expect((await userinfo(token)).body).not.toHaveProperty('name')
    expect((await introspect(app, token)).scope).toBe('openid email offline_access workspace:viewer')
    const renewed = (await refresh(app, String(body.refresh_token))).body
    expect(renewed.scope).toBe('openid email offline_access workspace:viewer')

    await limit(app, allScopes)
    expect((await askApi(token, rename)).code).toBe('ok')
  })

  it('counts for an installation', async () => {
    const { app, token, workspaceId, id } = await makeInstallationWorld(owner)
    const before = await token()
    const make = `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "By night" }) { id } }`
    expect((await askApi(before, make)).code).toBe('ok')
    await expect(limit(app, ['workspace:viewer'])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    const less = ['workspace:viewer']
    await updateApp(actor, app.clientId, { installScopes: less, allowedScopes: less })
    expect((await askApi(before, make)).code).toBe('INSUFFICIENT_SCOPE')
    expect((await askApi(before, `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).toBe('ok')
    expect(id).toBeTruthy()
  })

  it('holds for a consent page that was open when it was set', async () => {
    const app = await owner.makeApp()
    const page = await openConsent(browser, app, { scope: 'openid email profile' })
    await limit(app, ['email'])
    const back = await browser.submit(`${page}/decision`, [['decision', 'authorize']])
    const code = new URL(String(back.headers.get('location'))).searchParams.get('code')
    const fields = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
    expect((await requestToken(app, fields)).body.scope).toBe('openid email')
  })

  it('is marked as new where it is lifted, and gives back nothing that was confirmed under it', async () => {
    const app = await owner.makeApp()
    await signInToApp(browser, app, { scope: 'openid email profile' })
    await limit(app, ['email'])
    await signInToApp(browser, app, { scope: 'openid email profile', prompt: 'consent' })
    await limit(app, allScopes)
    expect(await outcome(browser, app, { scope: 'openid email profile' })).toBe('consent')
    const view = await loadConsentView(actor, { clientId: app.clientId }, ['openid', 'email', 'profile'])
    expect(view.added).toEqual(['profile'])
  })

  it('is said the same on the consent page, among authorized and installed apps, and to the app’s admins', async () => {
    const app = await owner.makeApp()
    const scope = 'openid email profile workspace:admin'
    await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces })
    const said = async () => {
      const { rows: authorized } = await pageAuthorizations(actor, first)
      const { rows: installed } = await listInstalled(actor, workspace.id, first, { clientId: app.clientId })
      const { rows: members } = await listAppPeople(actor, workspace.id, app.clientId, first)
      const { rows: people } = await pagePeople(actor, app.clientId, '', first)
      const { kept } = await loadConsentView(actor, { clientId: app.clientId }, ['openid'])
      return {
        authorized: authorized.find(({ app: { id } }) => id === app.clientId)?.scopes,
        members: members[0]?.scopes,
        people: people[0]?.scopes,
        consent: ['openid', ...kept.scopes],
        installed: installed[0]?.scopes,
      }
    }
    const whole = scope.split(' ')
    const one = (scopes: string[]) => ({
      authorized: scopes,
      members: scopes,
      people: scopes,
      consent: scopes,
    })
    expect(await said()).toEqual({ ...one(whole), installed: ['workspace:admin'] })
    await limit(app, ['email', 'workspace:member'])
    const less = ['openid', 'email', 'workspace:member']
    expect(await said()).toEqual({ ...one(less), installed: ['workspace:member'] })
  })
})

describe('the setting', () => {
  const input = (more: object) => ({
    workspaceId: workspace.id,
    name: 'Deployer',
    type: 'WEB',
    redirectUris: 'https://deployer.example/cb',
    ...more,
  })

  it.each([
    [[], ['openid']],
    [['workspace:member'], ['openid', 'workspace:member', 'workspace:viewer']],
    ['email\nprofile', ['openid', 'email', 'profile']],
    [allScopes, []],
    [
      ['notifications', 'ssh_keys', 'email', 'profile', 'offline_access', 'workspace:admin', 'project:admin'],
      [],
    ],
    [undefined, []],
  ])('%j is kept as %j', async (allowedScopes, kept) => {
    const { app } = await createApp(actor, input({ allowedScopes }))
    expect(app.allowedScopes).toEqual(kept)
  })

  it('stays where nothing is said of it, or null', async () => {
    const app = await limited('email')
    await updateApp(actor, app.clientId, { name: 'Renamed' })
    await expect(updateApp(actor, app.clientId, { allowedScopes: null })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    expect((await getApp(actor, app.clientId)).allowedScopes).toEqual(['openid', 'email'])
  })

  it('takes no scope that nobody knows', async () => {
    await expect(createApp(actor, input({ allowedScopes: ['wizardry'] }))).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('is nobody else’s to change', async () => {
    const app = await limited('email')
    const stranger = sessionOf(await makeOwner())
    await expect(updateApp(stranger, app.clientId, { allowedScopes: allScopes })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
