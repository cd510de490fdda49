import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { providerName } from '@/lib/policy/required-sso'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { outcome } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { authorizeUrl, offline, refresh, signInToApp, userinfo } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, signedInBrowser } from '@/lib/testing/oauth-world'
import { oauthEngine } from '../engine/provider'
import { loadConsentView } from '../interaction/consent-view'
import { peekInteraction } from '../interaction/next-step'

await startOAuthServer()

describe('required two-factor authentication', async () => {
  const { owner, web, cli } = await makeOAuthWorld()
  const { user } = owner

  const demandOf = (of: string) => setChangedSettings({ requireTwoFactor: of })
  beforeEach(() => demandOf('none'))
  afterEach(() => setChangedSettings({}))

  const pkce = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }

  async function ask(token: string, query = '{ me { id } }') {
    const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
    return [response.status, errors?.[0]?.extensions.code]
  }

  /** The flows in which a signed-in browser authorizes an app. Each returns whether it succeeds. */
  const flows: [string, (browser: Awaited<ReturnType<typeof signedInBrowser>>) => Promise<boolean>][] = [
    [
      'the consent page',
      async (browser) => (await outcome(browser, web, { prompt: 'consent' })) === 'consent',
    ],
    ['an existing consent', async (browser) => (await outcome(browser, web)) === 'code'],
    [
      'a sign-in without a page',
      async (browser) => (await outcome(browser, web, { prompt: 'none' })) === 'code',
    ],
    ['a native app', async (browser) => (await outcome(browser, cli, pkce)) === 'consent'],
  ]

  it.each(flows)(
    'blocks %s for a session without two-factor authentication, even if the session started before the requirement',
    async (_name, gets) => {
      const before = await signedInBrowser(user.id)
      await signInToApp(before, web, { prompt: 'consent' })
      const strong = await signedInBrowser(user.id, ['pwd', 'otp', 'mfa'])
      for (const [of, weakGetsIn] of [
        ['none', true],
        ['instance-admins', true],
        ['all', false],
        ['none', true],
      ] as const) {
        demandOf(of)
        expect(await gets(before)).toBe(weakGetsIn)
        expect(await gets(strong)).toBe(true)
      }
    },
  )

  it('leads to login_required for prompt=none', async () => {
    const browser = await signedInBrowser(user.id)
    demandOf('all')
    expect(await outcome(browser, web, { prompt: 'none' })).toBe('login_required')
    expect(await outcome(browser, web)).toBe('login')
  })

  it('applies to a consent page that was already open: its submission leads to the sign-in page', async () => {
    const browser = await signedInBrowser(user.id)
    const page = await browser.follow(authorizeUrl(web, { prompt: 'consent' }))
    demandOf('all')
    const path = new URL(page.url).pathname
    const answer = await browser.submit(`${path}/decision`, [['decision', 'authorize']])
    expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(path)}`)
  })

  it('applies to the authorization of a device, which keeps waiting', async () => {
    const { body } = await beginDevice(cli)
    const pages = await userAtDevicePages(user.id)
    demandOf('all')
    const to = await pages.decide(body.user_code as string, 'authorize')
    expect(to.get('next')).toMatch(/^\/device\/confirm\?request=/)
    expect((await pollDevice(cli, body.device_code as string)).body.error).toBe('authorization_pending')
  })

  it('applies to account, workspace, and access tokens that were created without two-factor authentication', async () => {
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    const made = async (twoFactor: boolean) => [
      (await makeApiToken(user, { twoFactor })).token,
      (await makeApiToken(user, { workspace, twoFactor })).token,
      (await makeAccessToken(user, ['profile'], { twoFactor })).token,
    ]
    const [weak, strong] = [await made(false), await made(true)]
    demandOf('instance-admins')
    for (const token of weak) expect((await ask(token, '{ __typename }'))[1]).toBeUndefined()
    demandOf('all')
    for (const token of strong) expect((await ask(token, '{ __typename }'))[1]).toBeUndefined()
    for (const token of weak) {
      expect(await ask(token, '{ __typename }')).toEqual([200, 'TWO_FACTOR_REQUIRED'])
      const tools = await fetch(new URL('/mcp', config().BASE_URL), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      expect(tools.status).toBe(403)
    }
    expect(await ask('lk_nothing')).toEqual([200, 'UNAUTHENTICATED'])
  })

  it('is not bypassed by refreshing an earlier token', async () => {
    const { body } = await signInToApp(await signedInBrowser(user.id), cli, offline)
    demandOf('all')
    const renewed = await refresh(cli, body.refresh_token as string)
    expect(await ask(String(renewed.body.access_token))).toEqual([200, 'TWO_FACTOR_REQUIRED'])
  })

  it('does not apply to a sign-out from an app', async () => {
    const browser = await signedInBrowser(user.id)
    const after = 'https://app.example.test/bye'
    await prisma().oAuthClient.update({
      where: { id: web.clientId },
      data: { postLogoutRedirectUris: [after], version: { increment: 1 } },
    })
    const { body } = await signInToApp(browser, web, { prompt: 'consent' })
    demandOf('all')
    const query = { id_token_hint: body.id_token as string, post_logout_redirect_uri: after }
    const done = await browser.request(`/oauth/session/end?${new URLSearchParams(query)}`)
    expect(done.headers.get('location')).toBe(after)
    demandOf('none')
    expect(await outcome(browser, web)).toBe('login')
  })
})

describe('required single sign-on', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  const introspect = async (token: string) => {
    const answer = await fetch(`${config().BASE_URL}/oauth/token/introspection`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, client_id: web.clientId, client_secret: String(web.secret) }),
    })
    return ((await answer.json()) as { active: boolean }).active
  }

  it('blocks refreshes, UserInfo, and introspection of authorizations without SSO until the user’s account is linked to SSO', async () => {
    const { id: userId } = owner.user
    const ofWeb = (await signInToApp(owner.browser, web, offline)).body
    const ofCli = (await signInToApp(owner.browser, cli, offline)).body
    const accessToken = String(ofWeb.access_token)
    const refreshed = async () =>
      Promise.all([
        refresh(web, String(ofWeb.refresh_token)).then(({ body }) => body.error),
        refresh(cli, String(ofCli.refresh_token)).then(({ body }) => body.error),
      ])
    expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([200, true])
    const domain = `${randomUUID()}.example.test`
    await prisma().user.update({ where: { id: userId }, data: { email: `owner@${domain}` } })
    await prisma().workspaceIdentityProvider.create({
      data: {
        workspaceId: owner.workspace.id,
        issuer: 'https://idp.example',
        clientId: 'latchkey',
        domain,
        token: randomUUID(),
        verifiedAt: new Date(),
        requiresSso: true,
      },
    })
    expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([401, false])
    expect(await refreshed()).toEqual(['invalid_grant', 'invalid_grant'])
    await prisma().identity.create({
      data: { provider: providerName(owner.workspace.id), subject: randomUUID(), userId },
    })
    expect([(await userinfo(accessToken)).status, await introspect(accessToken)]).toEqual([200, true])
    expect(await refreshed()).toEqual([undefined, undefined])
  })
})

describe('sign-in and consent pages', async () => {
  const { owner, web } = await makeOAuthWorld()

  /** Starts an authorization request that waits for a sign-in. */
  async function waiting(params: Record<string, string> = {}) {
    const browser = new TestBrowser()
    const login = await browser.follow(authorizeUrl(web, params))
    const next = new URL(login.headers.get('location') as string, 'http://x').searchParams.get(
      'next',
    ) as string
    return { browser, next }
  }

  describe('a sign-in for an app', () => {
    it('shows the app and its scopes, and provides the languages that the app requests', async () => {
      const { next } = await waiting({ scope: 'openid project:viewer', ui_locales: 'fr-CA de' })
      expect(await peekInteraction(next)).toMatchObject({
        name: (await prisma().oAuthClient.findUniqueOrThrow({ where: { id: web.clientId } })).name,
        scopes: ['openid', 'project:viewer'],
        uiLocales: 'fr-CA de',
        cancelAction: `${next}/cancel`,
      })
    })

    it('shows the app’s logos for light and dark mode, before and after sign-in', async () => {
      const data = {
        logoUrl: `/pictures/${randomUUID()}.webp`,
        logoDarkUrl: `/pictures/${randomUUID()}.webp`,
      }
      const changed = { ...data, version: { increment: 1 } }
      await prisma().oAuthClient.update({ where: { id: web.clientId }, data: changed })
      expect(await peekInteraction((await waiting()).next)).toMatchObject(data)
      const client = await (await oauthEngine()).provider.Client.find(web.clientId)
      const actor = { kind: 'session', userId: owner.user.id } as never
      expect((await loadConsentView(actor, client as never, ['openid'])).app).toMatchObject(data)
    })

    it.each([
      undefined,
      '/',
      '/account/tokens',
      '/interaction/',
      '/interaction/unknown-uid',
      '/interaction/a/b',
    ])('shows no app at %s', async (next) => expect(await peekInteraction(next)).toBeUndefined())

    it('returns to the app with access_denied if the user cancels', async () => {
      const { browser, next } = await waiting()
      const back = await browser.submit(`${next}/cancel`, [])
      const to = new URL(back.headers.get('location') as string)
      expect(to.href.startsWith(web.redirectUri)).toBe(true)
      expect(Object.fromEntries(to.searchParams)).toMatchObject({
        error: 'access_denied',
        state: 'the-state',
      })
      expect(await peekInteraction(next)).toBeUndefined()
    })

    it('cannot be canceled by another browser', async () => {
      const { next } = await waiting()
      const stranger = new TestBrowser()
      const answer = await stranger.submit(`${next}/cancel`, [])
      expect(await answer.json()).toEqual({ kind: 'lost' })
      const foreign = await stranger.request(`${next}/cancel`, {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
      })
      expect(foreign.status).toBe(403)
      expect(await peekInteraction(next)).toBeDefined()
    })
  })

  describe('a user without a project', () => {
    async function newcomer(role: 'ADMIN' | 'VIEWER' = 'ADMIN') {
      const user = await makeUser()
      const workspace = await makeWorkspace([[user, role]])
      const { provider } = await oauthEngine()
      const client = await provider.Client.find(web.clientId)
      const actor = { kind: 'session', userId: user.id, sessionId: '', instanceAdmin: false } as never
      const view = (selected?: string) =>
        loadConsentView(
          actor,
          client as never,
          ['openid', 'project:member'],
          selected === undefined ? undefined : new Set([selected]),
        )
      return { user, workspace, view }
    }

    it('can create a project on the consent page, which then preselects it', async () => {
      const { user, workspace, view } = await newcomer()
      expect((await view()).places).toEqual([{ id: workspace.id, name: workspace.name }])
      const browser = await signedInBrowser(user.id)
      const start = await browser.request(authorizeUrl(web, { scope: 'openid project:member' }))
      const page = start.headers.get('location') as string
      const create = (fields: Record<string, string>) =>
        browser.request(`${page}/decision`, {
          method: 'POST',
          headers: {
            origin: new URL(authorizeUrl(web)).origin,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ decision: 'create', in: workspace.id, ...fields }).toString(),
        })
      const refused = await create({ 'project-name': ' ' })
      expect(refused.headers.get('location')).toContain('project=name')
      const made = await create({ 'project-name': 'My first project' })
      const { id } = await prisma().project.findFirstOrThrow({ where: { workspaceId: workspace.id } })
      expect(made.headers.get('location')).toMatch(new RegExp(`selected=${id}$`))
      const after = await view(id)
      expect(after.projects?.flatMap(({ options }) => options)).toMatchObject([
        { id, name: 'My first project', selected: true, own: 'ADMIN' },
      ])
      expect(after.places).toEqual([])
    })

    it('sees only workspaces in which they can create a project', async () => {
      expect((await (await newcomer('VIEWER')).view()).places).toEqual([])
    })

    it('cannot create a project in another user’s workspace', async () => {
      const { user } = await newcomer()
      const browser = await signedInBrowser(user.id)
      const start = await browser.request(authorizeUrl(web, { scope: 'openid project:member' }))
      const before = await prisma().project.count({ where: { workspaceId: owner.workspace.id } })
      const answer = await browser.submit(`${start.headers.get('location')}/decision`, [
        ['decision', 'create'],
        ['project-name', 'Mine'],
        ['in', owner.workspace.id],
      ])
      expect(await answer.json()).toEqual({ kind: 'consent' })
      expect(await prisma().project.count({ where: { workspaceId: owner.workspace.id } })).toBe(before)
    })
  })
})
