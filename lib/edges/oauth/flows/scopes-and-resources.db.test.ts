import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
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
import { allScopes } from '@/lib/policy/scopes'
import { makeApi } from '@/lib/testing/api-world'
import { atApi, atMcp, introspect, pushRequest, queryApi, sendFields } from '@/lib/testing/app-requests'
import { makeInstallationWorld, sessionOf } from '@/lib/testing/installation-world'
import { openConsent, outcome, submitConsent } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import {
  authorize,
  authorizeWithPkce,
  codeFrom,
  codeGrant,
  newPkce,
  offline,
  pushedUrl,
  refresh,
  requestToken,
  signInToApp,
  type TestApp,
  userinfo,
} from '@/lib/testing/oauth-flow'
import { makeOwner, startOAuthWorld } from '@/lib/testing/oauth-world'

/** What a token is for: its scopes and its resource. */
const { owner, web, cli } = await startOAuthWorld()
const { browser, workspace } = owner
const workspaces = [workspace.id]
const actor = sessionOf(owner)
const everything = allScopes.join(' ')
const base = () => config().BASE_URL

/** Returns whether a token is accepted at each resource. */
const worth = async (token: string) => ({
  api: await atApi(token),
  mcp: await atMcp(token),
  me: (await userinfo(token)).status,
})

/** Returns resources of other services, and resources of this service in other spellings. */
const foreign = (): string[] => [
  'https://other.example',
  `${base()}.evil.example`,
  `${base()}@evil.example/mcp`,
  base().replace('http:', 'https:'),
  base().replace('127.0.0.1', 'localhost'),
  base().replace('127.0.0.1', '127.0.0.1.'),
  base().replace(/:\d+$/, ':1'),
  base().replace('//', '//me:password@'),
  base().toUpperCase(),
  base().replace('127.0.0.1', '0x7f.1'),
  `${base()}//`,
  `${base()}/graphql`,
  `${base()}/graphql/v1`,
  `${base()}/graphql/v2//`,
  `${base()}/graphql/v2/x`,
  `${base()}/graphql/v2?x=1`,
  `${base()}/graphql/v2?`,
  `${base()}/graphql/v2#x`,
  `${base()}/graphql/v2#`,
  `${base()}/GraphQL/v2`,
  `${base()}/MCP`,
  `${base()}/%6dcp`,
  `${base()}/mcp%2f`,
  `${base()}/mcp/../mcp`,
  `${base()}/./mcp`,
  `${base()}\\mcp`,
  `${base()}/mcp\0`,
  `${base()}/mcp `,
  ` ${base()}/mcp`,
  `\n${base()}/mcp`,
  `${base()}/mcp,${base()}/graphql/v2`,
  `${base()}/mcp ${base()}/graphql/v2`,
  `["${base()}/mcp"]`,
  `${base()}/oauth`,
  `${base()}/oauth/me`,
  `${base()}/installations/00000000-0000-0000-0000-000000000000`,
  '/mcp',
  'mcp',
  '*',
  'null',
  'urn:x:y',
  'javascript:alert(1)',
  'localhost',
]

describe('a resource of another service, or a misspelled resource of this service', () => {
  it('is rejected in authorization requests, pushed requests, and device requests', async () => {
    for (const resource of foreign()) {
      const answer = await authorize(owner.browser, web, { resource })
      expect([resource, answer.get('error')]).toEqual([resource, 'invalid_target'])
      const request: [string, string][] = [
        ['redirect_uri', web.redirectUri],
        ['response_type', 'code'],
        ['scope', 'openid'],
        ['resource', resource],
      ]
      const pushed = await sendFields(web, request, '/oauth/request')
      expect([resource, pushed.body.error]).toEqual([resource, 'invalid_target'])
      const device = await sendFields(
        cli,
        [
          ['scope', 'openid'],
          ['resource', resource],
        ],
        '/oauth/device/auth',
      )
      expect([resource, device.body.error]).toEqual([resource, 'invalid_target'])
    }
  }, 60_000)

  it('is rejected in token requests with a code, a refresh token, or client credentials', async () => {
    const { body } = await signInToApp(owner.browser, web, offline)
    for (const resource of foreign()) {
      const tried = await refresh(web, String(body.refresh_token), { resource })
      expect([resource, tried.body.error]).toEqual([resource, 'invalid_target'])
      const own = await sendFields(web, [
        ['grant_type', 'client_credentials'],
        ['resource', resource],
      ])
      expect([resource, own.status]).toEqual([resource, 400])
    }
    for (const resource of foreign().slice(0, 5)) {
      const fields = await authorizeWithPkce(owner.browser, web)
      const tried = await requestToken(web, { ...fields, resource })
      expect([resource, tried.body.error]).toEqual([resource, 'invalid_target'])
    }
    // The refresh token is still valid, because a wrong resource does not use it up.
    expect((await refresh(web, String(body.refresh_token))).status).toBe(200)
  }, 60_000)
})

describe('a token for one resource', () => {
  /** Returns a code for several resources, and a token for one of them. */
  async function tokenFor(asked: string[], resource: string | undefined) {
    const { verifier, pkce } = newPkce()
    const url = new URL(`${base()}/oauth/auth`)
    const all = { client_id: web.clientId, redirect_uri: web.redirectUri, response_type: 'code', ...offline }
    const params = { ...all, ...pkce }
    for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value)
    for (const each of asked) url.searchParams.append('resource', each)
    const page = await owner.browser.follow(url.href)
    const path = new URL(page.url).pathname
    const answer = await submitConsent(owner.browser, path)
    const fields = { ...codeGrant(web, codeFrom(answer)), code_verifier: verifier }
    return requestToken(web, { ...fields, ...(resource ? { resource } : {}) })
  }

  it('works only at that resource, or everywhere if the resource is the whole service', async () => {
    const [api, mcp] = [`${base()}/graphql/v2`, `${base()}/mcp`]
    const forApi = { api: 'ok', mcp: 401, me: 401 }
    const forMcp = { api: 'UNAUTHENTICATED', mcp: 200, me: 401 }
    const cases: [string[], string, object][] = [
      [[api], api, forApi],
      [[`${api}/`], `${api}/`, forApi],
      [[mcp], mcp, forMcp],
      [[`${mcp}/`], `${mcp}/`, forMcp],
      [[api, mcp], mcp, forMcp],
      [[api, mcp], api, forApi],
      [[base()], base(), { api: 'ok', mcp: 200, me: 200 }],
    ]
    for (const [asked, named, expected] of cases) {
      const { body } = await tokenFor(asked, named)
      expect([asked, named, await worth(String(body.access_token))]).toEqual([asked, named, expected])
      const seen = await introspect(web, String(body.access_token))
      expect(seen).toMatchObject({ active: true, aud: named })
    }
  }, 60_000)

  it('cannot be extended to other resources with its code, a refresh token, or a two-resource request', async () => {
    const [api, mcp] = [`${base()}/graphql/v2`, `${base()}/mcp`]
    for (const [asked, named] of [
      [[mcp], api],
      [[mcp], base()],
      [[mcp], `${mcp}/`],
      [[api], mcp],
      [[api, mcp], base()],
    ] as const) {
      expect([asked, named, (await tokenFor([...asked], named)).body.error]).toEqual([
        asked,
        named,
        'invalid_target',
      ])
    }
    const { body } = await tokenFor([mcp], mcp)
    const token = String(body.refresh_token)
    for (const named of [api, base(), `${base()}/`, `${mcp}/`]) {
      expect([named, (await refresh(web, token, { resource: named })).body.error]).toEqual([
        named,
        'invalid_target',
      ])
    }
    const two = await sendFields(web, [
      ['grant_type', 'refresh_token'],
      ['refresh_token', token],
      ['resource', mcp],
      ['resource', api],
    ])
    expect(await worth(String(two.body.access_token))).toEqual({ api: 'UNAUTHENTICATED', mcp: 200, me: 401 })
    const narrow = await refresh(web, token, { resource: mcp })
    expect(await worth(String(narrow.body.access_token))).toMatchObject({ api: 'UNAUTHENTICATED', me: 401 })
  }, 60_000)
})

const first = { limit: 10, backward: false, after: null, before: null }

const limit = (app: TestApp, allowedScopes: readonly string[]) =>
  updateApp(actor, app.clientId, { allowedScopes })

const limited = async (...allowedScopes: string[]) => {
  const app = await owner.makeApp()
  await limit(app, allowedScopes)
  return app
}

describe('the allowed scopes of an app', () => {
  it('limit the granted scopes of browser, pushed, and device requests', async () => {
    const app = await limited('email', 'workspace:member')
    const got = 'openid email workspace:member workspace:viewer'
    const asked = { scope: everything, prompt: 'consent' }
    expect((await signInToApp(browser, app, asked, { workspaces })).body.scope).toBe(got)

    const pushed = await pushRequest(app, asked)
    const answer = await browser.follow(pushedUrl(app, String(pushed.body.request_uri)))
    const page = new URL(answer.url).pathname
    const back = await submitConsent(browser, page, ['workspace', workspace.id])
    const fields = codeGrant(app, codeFrom(back))
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
    const back = await submitConsent(browser, page)
    const fields = codeGrant(app, codeFrom(back))
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
      ['notifications', 'ssh_keys', 'email', 'profile', 'offline_access', 'workspace:admin', 'project:admin'],
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

describe('the scope parameter', () => {
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
