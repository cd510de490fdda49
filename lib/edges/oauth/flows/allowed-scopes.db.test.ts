import { afterEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { loadConsentView } from '@/lib/edges/oauth/interaction/consent-view'
import { listAppUsers } from '@/lib/features/app-access/list-app-users'
import { listInstalled } from '@/lib/features/app-access/list-installed'
import { pageUsers } from '@/lib/features/apps/activity/list-users'
import { pageAuthorizations } from '@/lib/features/apps/authorizations/list-authorizations'
import { createApp } from '@/lib/features/apps/create-app'
import { getApp } from '@/lib/features/apps/read-apps'
import { updateApp } from '@/lib/features/apps/update-app'
import { dropApis } from '@/lib/features/resources/apis'
import type { SessionActor } from '@/lib/policy/actor'
import { allScopes } from '@/lib/policy/scopes'
import { makeApi } from '@/lib/testing/api-world'
import { introspect, queryApi } from '@/lib/testing/app-requests'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
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
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, makeOwner } from '@/lib/testing/oauth-world'

const server = await startOAuthServer()

describe('scopes of an app', async () => {
  const { owner } = await makeOAuthWorld()
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

  describe('the allowed scopes of an app', () => {
    it('limit the granted scopes of browser, pushed, and device requests', async () => {
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
      const pages = await userAtDevicePages(owner.user.id)
      await pages.decide(String(body.user_code), 'authorize', [['workspace', workspace.id]])
      expect((await pollDevice(app, String(body.device_code))).body.scope).toBe(got)
    })

    it('do not require new consent if they remove scopes from a request', async () => {
      const app = await limited('email')
      await signInToApp(browser, app, { scope: 'openid email' })
      expect(await outcome(browser, app, { scope: 'openid email profile', prompt: 'none' })).toBe('code')
    })

    it('apply to earlier grants from the first request after each change', async () => {
      const app = await owner.makeApp()
      const { body } = await signInToApp(
        browser,
        app,
        { ...offline, scope: 'openid email profile offline_access workspace:admin' },
        { workspaces },
      )
      const token = String(body.access_token)
      const rename = `mutation { workspaceUpdate(id: "${workspace.id}", input: { name: "Named" }) { id } }`
      expect((await queryApi(token, rename)).code).toBe('ok')
      expect((await userinfo(token)).body).toHaveProperty('name')

      await limit(app, ['email', 'offline_access', 'workspace:viewer'])
      expect((await queryApi(token, rename)).code).toBe('INSUFFICIENT_SCOPE')
      expect((await queryApi(token, `{ workspace(workspaceId: "${workspace.id}") { id } }`)).code).toBe('ok')
      expect((await userinfo(token)).body).not.toHaveProperty('name')
      expect((await introspect(app, token)).scope).toBe('openid email offline_access workspace:viewer')
      const renewed = (await refresh(app, String(body.refresh_token))).body
      expect(renewed.scope).toBe('openid email offline_access workspace:viewer')

      await limit(app, allScopes)
      expect((await queryApi(token, rename)).code).toBe('ok')
    })

    it('apply to the existing token of an app installation', async () => {
      const { app, token, workspaceId, id } = await makeInstallationWorld(owner)
      const before = await token()
      const make = `mutation { projectCreate(input: { workspaceId: "${workspaceId}", name: "By night" }) { id } }`
      expect((await queryApi(before, make)).code).toBe('ok')
      await expect(limit(app, ['workspace:viewer'])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
      const less = ['workspace:viewer']
      await updateApp(actor, app.clientId, { installScopes: less, allowedScopes: less })
      expect((await queryApi(before, make)).code).toBe('INSUFFICIENT_SCOPE')
      expect((await queryApi(before, `{ workspace(workspaceId: "${workspaceId}") { id } }`)).code).toBe('ok')
      expect(id).toBeTruthy()
    })

    it('apply to a consent page that was already open', async () => {
      const app = await owner.makeApp()
      const page = await openConsent(browser, app, { scope: 'openid email profile' })
      await limit(app, ['email'])
      const back = await browser.submit(`${page}/decision`, [['decision', 'authorize']])
      const code = new URL(String(back.headers.get('location'))).searchParams.get('code')
      const fields = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
      expect((await requestToken(app, fields)).body.scope).toBe('openid email')
    })

    it('require consent again for a restored scope if the user consented without it in the meantime', async () => {
      const app = await owner.makeApp()
      await signInToApp(browser, app, { scope: 'openid email profile' })
      await limit(app, ['email'])
      await signInToApp(browser, app, { scope: 'openid email profile', prompt: 'consent' })
      await limit(app, allScopes)
      expect(await outcome(browser, app, { scope: 'openid email profile' })).toBe('consent')
      const view = await loadConsentView(actor, { clientId: app.clientId }, ['openid', 'email', 'profile'])
      expect(view.added).toEqual(['profile'])
    })

    it('limit the scopes that are shown on the consent page, in the app lists, and to the app’s admins', async () => {
      const app = await owner.makeApp()
      const scope = 'openid email profile workspace:admin'
      await signInToApp(browser, app, { scope, prompt: 'consent' }, { workspaces })
      const said = async () => {
        const { rows: authorized } = await pageAuthorizations(actor, first)
        const { rows: installed } = await listInstalled(actor, workspace.id, first, {
          clientId: app.clientId,
        })
        const { rows: members } = await listAppUsers(actor, workspace.id, app.clientId, first)
        const { rows: users } = await pageUsers(actor, app.clientId, '', first)
        const { kept } = await loadConsentView(actor, { clientId: app.clientId }, ['openid'])
        return {
          authorized: authorized.find(({ app: { id } }) => id === app.clientId)?.scopes,
          members: members[0]?.scopes,
          users: users[0]?.scopes,
          consent: ['openid', ...kept.scopes],
          installed: installed[0]?.scopes,
        }
      }
      const whole = scope.split(' ')
      const one = (scopes: string[]) => ({
        authorized: scopes,
        members: scopes,
        users: scopes,
        consent: scopes,
      })
      expect(await said()).toEqual({ ...one(whole), installed: ['workspace:admin'] })
      await limit(app, ['email', 'workspace:member'])
      const less = ['openid', 'email', 'workspace:member']
      expect(await said()).toEqual({ ...one(less), installed: ['workspace:member'] })
    })
  })

  describe('the allowed-scopes setting', () => {
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
        [
          'notifications',
          'ssh_keys',
          'email',
          'profile',
          'offline_access',
          'workspace:admin',
          'project:admin',
        ],
        [],
      ],
      [undefined, []],
    ])('with the input %j is stored as %j', async (allowedScopes, kept) => {
      const { app } = await createApp(actor, input({ allowedScopes }))
      expect(app.allowedScopes).toEqual(kept)
    })

    it('is unchanged if the input omits it, and cannot be null', async () => {
      const app = await limited('email')
      await updateApp(actor, app.clientId, { name: 'Renamed' })
      await expect(updateApp(actor, app.clientId, { allowedScopes: null })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
      expect((await getApp(actor, app.clientId)).allowedScopes).toEqual(['openid', 'email'])
    })

    it('includes scopes of registered APIs only if they are listed', async () => {
      const { names } = await makeApi({ scopes: [{ name: 'parcels:read' }, { name: 'parcels:write' }] })
      try {
        const kept = async (allowedScopes: string[]) =>
          (await createApp(actor, input({ allowedScopes }))).app.allowedScopes
        expect(await kept(['email', 'parcels:read'])).toEqual(['openid', 'email', 'parcels:read'])
        expect(await kept([...allScopes])).toEqual(allScopes)
        expect(await kept([...allScopes, ...names])).toEqual([])
      } finally {
        await prisma().api.deleteMany()
        dropApis()
      }
    })

    it('cannot contain an unknown scope', async () => {
      await expect(createApp(actor, input({ allowedScopes: ['wizardry'] }))).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    })

    it('cannot be changed by users who do not manage the app', async () => {
      const app = await limited('email')
      const stranger = sessionOf(await makeOwner())
      await expect(updateApp(stranger, app.clientId, { allowedScopes: allScopes })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    })
  })
})

describe('the allowed scopes of self-registered apps', async () => {
  const { owner, web } = await makeOAuthWorld()
  const { browser, user, workspace } = owner
  const workspaces = [workspace.id]
  const everything = allScopes.join(' ')

  /** Sets the scopes that the instance admin allows for all self-registered apps. */
  const allow = (scopes: string) => setChangedSettings({ registeredAppScopes: scopes })
  afterEach(() => setChangedSettings({}))

  const metadata = {
    client_name: 'An agent',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'none',
  }

  async function register(more: object = {}) {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...metadata, ...more }),
    })
    const body = (await response.json()) as Record<string, string>
    const app: TestApp = { clientId: body.client_id as string, redirectUri: 'http://127.0.0.1:7777/callback' }
    return { body, app }
  }

  const codeOf = async (token: string, query: string) => {
    const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
    return errors?.[0]?.extensions.code
  }

  it('limit the scopes of registered APIs, including the scopes of issued tokens', async () => {
    const api = await makeApi({ scopes: [{ name: 'crates:read' }, { name: 'crates:write' }] })
    try {
      allow('email,crates:read')
      const { app } = await register()
      const asked = { resource: api.identifier, scope: `openid ${api.names.join(' ')}`, prompt: 'consent' }
      const { body } = await signInToApp(browser, app, asked)
      expect(await api.see(String(body.access_token))).toMatchObject({ active: true, scope: 'crates:read' })
      allow('email')
      expect(await api.see(String(body.access_token))).toEqual({ active: false })
    } finally {
      await prisma().api.deleteMany()
      dropApis()
    }
  })

  it('limit the granted scopes in the browser and device flows', async () => {
    allow('email,workspace:viewer')
    const { app } = await register()
    const asked = { scope: everything, prompt: 'consent' }
    const got = 'openid email workspace:viewer'
    expect((await signInToApp(browser, app, asked, { workspaces })).body.scope).toBe(got)
    const { body } = await beginDevice(app, { scope: everything })
    const pages = await userAtDevicePages(user.id)
    await pages.decide(String(body.user_code), 'authorize', [['workspace', workspace.id]])
    expect((await pollDevice(app, String(body.device_code))).body.scope).toBe(got)
  })

  it('apply to earlier grants from the next request, until the limit is removed', async () => {
    const { app } = await register()
    const scope = 'openid email profile offline_access workspace:member'
    const { body } = await signInToApp(browser, app, { ...offline, scope }, { workspaces })
    const token = String(body.access_token)
    const rename = `mutation { workspaceUpdate(id: "${workspace.id}", input: { name: "Named" }) { id } }`
    const read = `{ workspace(workspaceId: "${workspace.id}") { name } }`
    expect([await codeOf(token, read), await codeOf(token, rename)]).toEqual([
      undefined,
      'INSUFFICIENT_SCOPE',
    ])

    allow('profile,offline_access,project:admin')
    expect(await codeOf(token, read)).toBe('INSUFFICIENT_SCOPE')
    expect(await codeOf(token, '{ me { email } }')).toBe('INSUFFICIENT_SCOPE')
    expect((await userinfo(token)).body).not.toHaveProperty('email')
    const renewed = (await refresh(app, String(body.refresh_token))).body
    expect(renewed.scope).toBe('openid profile offline_access')
    const actor: SessionActor = { kind: 'session', userId: user.id, sessionId: '', instanceAdmin: false }
    const page = { limit: 50, backward: false, after: null, before: null }
    const listed = (await pageAuthorizations(actor, page)).rows.find((row) => row.app.id === app.clientId)
    expect(listed?.scopes).toEqual(['openid', 'profile', 'offline_access'])

    setChangedSettings({})
    expect(await codeOf(token, read)).toBeUndefined()
  })

  it('cannot be extended by a registration or a request', async () => {
    allow('email')
    const { body, app } = await register({ scope: everything })
    expect(body.scope).toBe('openid email')
    expect((await signInToApp(browser, app, { scope: everything })).body.scope).toBe('openid email')
  })

  it('limit the scopes in the protected resource metadata', async () => {
    const offered = async () => {
      const response = await server.fetch('/.well-known/oauth-protected-resource/graphql/v2')
      return ((await response.json()) as { scopes_supported: string[] }).scopes_supported
    }
    expect(await offered()).toContain('project:member')
    expect((await register()).body).not.toHaveProperty('scope')
    allow('email,workspace:admin,offline_access')
    expect(await offered()).toEqual(['openid', 'email', 'workspace:member', 'workspace:viewer'])
  })

  it('do not limit an app of a workspace', async () => {
    allow('email')
    const { body } = await signInToApp(browser, web, { scope: 'openid profile', prompt: 'consent' })
    expect(body.scope).toBe('openid profile')
  })
})

describe('the scope parameter', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  it.each([' openid email', 'openid email ', 'openid  email', '   openid   email  '])(
    'can contain extra spaces: "%s"',
    async (scope) => {
      expect((await signInToApp(owner.browser, web, { scope })).body.scope).toBe('openid email')
      const { body } = await signInToApp(owner.browser, cli, { ...offline, scope: `${scope} offline_access` })
      expect((await refresh(cli, body.refresh_token as string, { scope })).body.scope).toBe('openid email')
    },
  )

  it.each(['openid,email', 'openid, email', 'openid email,profile'])(
    'cannot contain commas between scopes: "%s"',
    async (scope) => {
      const answer = await authorize(owner.browser, web, { scope })
      expect(answer.get('error')).toBe('invalid_scope')
      expect(answer.get('error_description')).toContain('not commas')
      const { body } = await signInToApp(owner.browser, cli, { ...offline, scope: `${offline.scope} email` })
      const refused = await refresh(cli, body.refresh_token as string, { scope })
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope'])
      expect(refused.body.error_description).toContain('not commas')
    },
  )
})
