import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, setChangedSettings } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { createApiToken } from '@/lib/features/api-tokens/create-api-token'
import { setLogo } from '@/lib/features/apps/change-logo'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { type SignInMethod, startSession } from '@/lib/features/identity/sessions/start-session'
import { setAvatar } from '@/lib/features/identity/users/profile'
import type { Actor } from '@/lib/policy/actor'
import { callerFromBearer } from '@/lib/policy/bearer'
import { providerName } from '@/lib/policy/required-sso'
import { makeAccessToken } from '@/lib/testing/access-token'
import { makeApi, requestFor } from '@/lib/testing/api-world'
import { atMcp, introspect, queryApi } from '@/lib/testing/app-requests'
import { makeApiToken, makeWorkspace } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { openConsent, outcome, submitConsent } from '@/lib/testing/oauth-consent'
import { beginDevice, pollDevice, userAtDevicePages } from '@/lib/testing/oauth-device'
import { newPkce, offline, refresh, signInToApp, type TestApp, userinfo } from '@/lib/testing/oauth-flow'
import { makeOAuthWorld, makeOwner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { makeSsoWorkspace, startProviders } from '@/lib/testing/sso-world'
import { oauthEngine } from '../engine/provider'

/** The authentication of a user: the claims about it, and the requirements for it. */
const { owner, web, cli } = await startOAuthWorld()

describe('claims', async () => {
  const { decide } = await userAtDevicePages(owner.user.id)
  const { id: sub, email, name } = owner.user
  const standard = ['sub', 'aud', 'exp', 'iat', 'iss', 'sid', 'nonce']

  async function signInWithDevice(app: TestApp, params: Record<string, string>) {
    const { body } = await beginDevice(app, params)
    await decide(body.user_code as string, 'authorize')
    return pollDevice(app, body.device_code as string)
  }

  /**
   * Returns the claims that an app gets from UserInfo and the ID token, without those that every ID token
   * contains.
   */
  async function learned(tokens: { body: Record<string, string> }) {
    const { access_token, id_token } = tokens.body
    const said = Object.entries(decodeJwt(id_token as string)).filter(([claim]) => !standard.includes(claim))
    return { me: (await userinfo(access_token as string)).body, idToken: Object.fromEntries(said) }
  }

  const flows = {
    code: (app: TestApp, params: Record<string, string>) => signInToApp(owner.browser, app, params),
    device: signInWithDevice,
  }

  describe.each(Object.entries(flows))('the %s flow', (_flow, signIn) => {
    const everything = { email, email_verified: true, name }

    it.each([
      ['openid', {}],
      ['openid email', { email, email_verified: true }],
      ['openid profile', { name }],
      ['openid email profile', everything],
    ])(
      'with the scope "%s" returns the same claims in the ID token and at /oauth/me',
      async (scope, known) => {
        for (const app of [web, cli]) {
          const { me, idToken } = await learned(await signIn(app, { scope }))
          expect(me).toEqual({ sub, ...known })
          expect(idToken).toEqual(known)
        }
      },
    )

    it('includes the picture and even an unconfirmed email address in the ID token', async () => {
      const avatarUrl = 'https://images.example.test/a.png'
      const data = { avatarUrl, emailVerifiedAt: null }
      const before = await prisma().user.findUniqueOrThrow({ where: { id: sub } })
      await prisma().user.update({ where: { id: sub }, data })
      const { idToken } = await learned(await signIn(cli, { scope: 'openid email profile' }))
      await prisma().user.update({ where: { id: sub }, data: { ...before } })
      expect(idToken).toEqual({
        email,
        email_verified: false,
        name,
        picture: expect.stringContaining('a.png'),
      })
    })

    describe('claims requested by name', () => {
      const claims = JSON.stringify({
        userinfo: { email: { essential: true }, name: null, picture: null },
        id_token: { email: null, name: { value: 'x' } },
      })

      it('are omitted if their scope was not granted', async () => {
        for (const app of [web, cli]) {
          const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
          expect([me, idToken]).toEqual([{ sub }, {}])
        }
      })

      it('are omitted if the sign-in does not request their scope, even if an earlier sign-in granted it', async () => {
        const app = await owner.makeApp()
        await signIn(app, { scope: 'openid email profile' })
        const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
        expect([me, idToken]).toEqual([{ sub }, {}])
      })

      it('are omitted even if the stored authorization lists them', async () => {
        const app = await owner.makeApp()
        const tokens = await signIn(app, { scope: 'openid', claims })
        await pool().query(
          `UPDATE authorizations SET payload = '{"claims": ["email", "name", "picture"]}' WHERE client_id = $1`,
          [app.clientId],
        )
        expect((await userinfo(tokens.body.access_token as string)).body).toEqual({ sub })
        const { me, idToken } = await learned(await signIn(app, { scope: 'openid', claims }))
        expect([me, idToken]).toEqual([{ sub }, {}])
      })

      it('add nothing to the claims that a granted scope returns', async () => {
        const { me, idToken } = await learned(await signIn(web, { scope: 'openid email profile', claims }))
        expect([me, idToken]).toEqual([{ sub, ...everything }, everything])
      })
    })
  })

  describe('the ID token of a refresh', () => {
    const everything = ['openid', 'email', 'profile', 'offline_access'].join(' ')

    it.each(Object.entries(flows))(
      'contains the same claims as the ID token of the sign-in in the %s flow',
      async (_flow, signIn) => {
        for (const app of [web, cli]) {
          const { body } = await signIn(app, { ...offline, scope: everything })
          const first = await learned({ body: body as Record<string, string> })
          expect(first.idToken).toEqual({ email, email_verified: true, name })
          const next = await refresh(app, body.refresh_token as string)
          expect((await learned(next)).idToken).toEqual(first.idToken)
          expect(decodeJwt(next.body.id_token as string).sub).toBe(sub)
        }
      },
    )

    it('contains the current name, picture, and unconfirmed email address', async () => {
      const user = await makeOwner()
      const { body } = await signInToApp(user.browser, web, { ...offline, scope: everything })
      const data = {
        name: 'New Name',
        email: 'new@example.test',
        emailVerifiedAt: null,
        avatarUrl: 'https://images.example.test/b.png',
      }
      await prisma().user.update({ where: { id: user.user.id }, data })
      expect((await learned(await refresh(web, body.refresh_token as string))).idToken).toEqual({
        name: 'New Name',
        email: 'new@example.test',
        email_verified: false,
        picture: expect.stringContaining('b.png'),
      })
    })

    it('omits claims whose scope the refresh request omits or the authorization no longer includes', async () => {
      const user = await makeOwner()
      const { body } = await signInToApp(user.browser, web, { ...offline, scope: everything })
      const less = await refresh(web, body.refresh_token as string, { scope: 'openid profile' })
      expect((await learned(less)).idToken).toEqual({ name: user.user.name })
      await prisma().authorization.updateMany({
        where: { clientId: web.clientId, userId: user.user.id },
        data: { scopes: ['openid', 'email', 'offline_access'] },
      })
      const left = await learned(
        await refresh(web, (less.body.refresh_token ?? body.refresh_token) as string),
      )
      expect(left.idToken).toEqual({ email: user.user.email, email_verified: true })
    })

    it('omits claims that are requested by name if their scope was not granted', async () => {
      const claims = JSON.stringify({ id_token: { email: null, name: null } })
      const { body } = await signInToApp((await makeOwner()).browser, cli, { ...offline, claims })
      expect((await learned(await refresh(cli, body.refresh_token as string))).idToken).toEqual({})
    })
  })
})

describe('pictures', () => {
  it('have absolute URLs if they were uploaded for a user or an app', async () => {
    const { browser, user, makeApp } = await makeOwner()
    const app = await makeApp()
    const signIn = () => signInToApp(browser, app, { scope: 'openid profile' })
    const claims = async () => userinfo((await signIn()).body.access_token as string)
    expect((await claims()).body).not.toHaveProperty('picture')

    const actor: Actor = { kind: 'session', userId: user.id, sessionId: randomUUID(), instanceAdmin: false }
    const file = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#0a0' } })
      .jpeg()
      .toBuffer()
    await setAvatar(actor, file)
    await setLogo(actor, app.clientId, 'light', file)
    await setLogo(actor, app.clientId, 'dark', file)
    const address = new RegExp(`^${config().BASE_URL}/pictures/[0-9a-f-]{36}\\.webp$`)
    expect((await claims()).body.picture).toMatch(address)
    const client = await (await oauthEngine()).provider.Client.find(app.clientId)
    expect(client?.logoUri).toMatch(address)
    const { logoUrl } = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: app.clientId } })
    expect(client?.logoUri).toBe(config().BASE_URL + logoUrl)
  })
})

describe('the authentication level of a token', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  async function signedIn(methods: SignInMethod[]) {
    const sid = await startSession({}, owner.user.id, methods)
    return sessionCookie({ sub: owner.user.id, sid })
  }

  const isStrong = async (token: unknown) => (await callerFromBearer(String(token)))?.actor.twoFactor

  const signIns: [SignInMethod[], boolean][] = [
    [['pwd'], false],
    [['pwd', 'otp', 'mfa'], true],
  ]

  it.each([
    ['web', web],
    ['native', cli],
  ])('for a %s app matches the session, even after a refresh', async (_kind, app) => {
    for (const [methods, strong] of signIns) {
      const { body } = await signInToApp(new TestBrowser(await signedIn(methods)), app, offline)
      expect(await isStrong(body.access_token)).toBe(strong)
      const renewed = (await refresh(app, body.refresh_token as string)).body
      expect(await isStrong(renewed.access_token)).toBe(strong)
    }
  })

  it('matches the session for an API token, and for a token created with that API token', async () => {
    for (const [methods, strong] of signIns) {
      const cookie = (await signedIn(methods)).split(';')[0]
      const session = await sessionFromCookies(cookie, {})
      if (!session) throw new Error('No user is signed in.')
      const { value } = await createApiToken(session.actor, { name: 'everywhere' })
      expect(await isStrong(value)).toBe(strong)
      const caller = await callerFromBearer(value)
      if (!caller) throw new Error('no caller')
      expect(await isStrong((await createApiToken(caller.actor, { name: 'next' })).value)).toBe(strong)
    }
  })

  it('prevents access to a workspace that the session could not access', async () => {
    await prisma().workspace.update({ where: { id: owner.workspace.id }, data: { requireTwoFactor: true } })
    const session = await sessionFromCookies((await signedIn(['pwd'])).split(';')[0], {})
    if (!session) throw new Error('No user is signed in.')
    const inWorkspace = createApiToken(session.actor, { name: 'one', workspaceId: owner.workspace.id })
    await expect(inWorkspace).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const { value } = await createApiToken(session.actor, { name: 'everywhere' })
    const ask = (query: string) => queryApi(value, query)
    expect(await ask('{ me { workspaces { id } } }')).toMatchObject({ data: { me: { workspaces: [] } } })
    expect(
      await ask(`{ workspace(workspaceId: "${owner.workspace.id}") { members { email } } }`),
    ).toMatchObject({
      data: { workspace: null },
      errors: [{ extensions: { code: 'FORBIDDEN' }, message: expect.stringContaining('two-factor') }],
    })
  })
})

describe('required two-factor authentication', () => {
  const { user } = owner

  const demandOf = (of: string) => setChangedSettings({ requireTwoFactor: of })
  beforeEach(() => demandOf('none'))
  afterEach(() => setChangedSettings({}))

  const ask = async (token: string, query = '{ me { id } }') => {
    const { status, code } = await queryApi(token, query)
    return [status, code]
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
    ['a native app', async (browser) => (await outcome(browser, cli, newPkce().pkce)) === 'consent'],
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
    const path = await openConsent(browser, web)
    demandOf('all')
    const answer = await submitConsent(browser, path)
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
    for (const token of weak) expect(await ask(token, '{ __typename }')).toEqual([200, 'ok'])
    demandOf('all')
    for (const token of strong) expect(await ask(token, '{ __typename }')).toEqual([200, 'ok'])
    for (const token of weak) {
      expect(await ask(token, '{ __typename }')).toEqual([200, 'TWO_FACTOR_REQUIRED'])
      expect(await atMcp(token)).toBe(403)
    }
    expect(await ask('lk_nothing')).toEqual([200, 'UNAUTHENTICATED'])
  })

  it('is not bypassed by refreshing an earlier token', async () => {
    const { body } = await signInToApp(await signedInBrowser(user.id), cli, offline)
    demandOf('all')
    const { status, body: refused } = await refresh(cli, body.refresh_token as string)
    expect([status, refused.error]).toEqual([400, 'invalid_grant'])
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

describe('a token of an app', async () => {
  const providers = await startProviders()
  afterAll(() => providers.close())
  afterEach(() => setChangedSettings({}))

  async function issueTokens(browser: TestBrowser) {
    const api = await makeApi({ tokenFormat: 'JWT', scopes: [{ selects: 'NOTHING' }] })
    const next = await makeApi({ tokenFormat: 'JWT', scopes: [{ selects: 'NOTHING' }] })
    await signInToApp(browser, web, requestFor(next))
    const forApi = await signInToApp(browser, web, {
      ...requestFor(api, 'offline_access'),
      prompt: 'consent',
    })
    const own = await signInToApp(browser, web, { ...offline, scope: 'openid email offline_access' })
    const [accessToken, refreshToken] = [String(own.body.access_token), String(own.body.refresh_token)]
    return async () => ({
      userinfo: (await userinfo(accessToken)).status,
      introspection: (await introspect(web, accessToken)).active,
      refresh: (await refresh(web, refreshToken)).status,
      introspectionByApi: (await api.see(String(forApi.body.access_token))).active,
      exchange: (await api.exchange(String(forApi.body.access_token), next)).status,
      refreshForApi: (await refresh(web, String(forApi.body.refresh_token))).status,
    })
  }
  const accepted = {
    userinfo: 200,
    introspection: true,
    refresh: 200,
    introspectionByApi: true,
    exchange: 200,
    refreshForApi: 200,
  }
  const rejected = {
    userinfo: 401,
    introspection: false,
    refresh: 400,
    introspectionByApi: false,
    exchange: 400,
    refreshForApi: 400,
  }

  it('from a sign-in with one factor stops working at every endpoint while two-factor authentication is required of all users', async () => {
    const read = await issueTokens(owner.browser)
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(await read()).toEqual(rejected)
    setChangedSettings({ requireTwoFactor: 'instance-admins' })
    expect(await read()).toEqual(accepted)
  })

  it('keeps working if the user signed in with two factors', async () => {
    const read = await issueTokens(await signedInBrowser(owner.user.id, ['pwd', 'otp', 'mfa']))
    setChangedSettings({ requireTwoFactor: 'all' })
    expect(await read()).toEqual(accepted)
  })

  it('stops working if it is SSO-managed and the identity provider reported one factor', async () => {
    const sso = await makeSsoWorkspace(await providers.make(), owner)
    const issue = async (amr: string[]) =>
      String((await sso.redeem(await sso.assertion({ resource: undefined, amr }))).body.access_token)
    const [one, two] = [await issue(['pwd']), await issue(['pwd', 'mfa'])]
    expect((await introspect(sso.app, one)).active).toBe(true)
    setChangedSettings({ requireTwoFactor: 'all' })
    expect((await introspect(sso.app, one)).active).toBe(false)
    expect((await introspect(sso.app, two)).active).toBe(true)
  })
})

describe('required single sign-on', async () => {
  const { owner, web, cli } = await makeOAuthWorld()

  const isActive = async (token: string) => (await introspect(web, token)).active

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
    expect([(await userinfo(accessToken)).status, await isActive(accessToken)]).toEqual([200, true])
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
    expect([(await userinfo(accessToken)).status, await isActive(accessToken)]).toEqual([401, false])
    expect(await refreshed()).toEqual(['invalid_grant', 'invalid_grant'])
    await prisma().identity.create({
      data: { provider: providerName(owner.workspace.id), subject: randomUUID(), userId },
    })
    expect([(await userinfo(accessToken)).status, await isActive(accessToken)]).toEqual([200, true])
    expect(await refreshed()).toEqual([undefined, undefined])
  })
})
