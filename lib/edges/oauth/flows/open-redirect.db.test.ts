import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { createApp } from '@/lib/features/apps/create-app'
import { updateApp } from '@/lib/features/apps/update-app'
import { queryApi, registerApp } from '@/lib/testing/app-requests'
import { callTool } from '@/lib/testing/call-tool'
import { joinWorkspace, makeApiToken, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { sessionOf } from '@/lib/testing/installation-world'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { authorizeUrl, newPkce, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { changeApp, makeOwner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

const { server, owner, web } = await startOAuthWorld()
const html = { headers: { accept: 'text/html' } }
const { pkce } = newPkce()

describe('open redirects', () => {
  const bye = 'https://evil.example/phish'
  const stranger = () => new TestBrowser()

  const register = async (metadata: object = {}): Promise<TestApp> =>
    (
      await registerApp({
        client_name: 'Evil',
        redirect_uris: ['https://evil.example/cb'],
        post_logout_redirect_uris: [bye],
        token_endpoint_auth_method: 'none',
        ...metadata,
      })
    ).app

  let evil: TestApp
  beforeAll(async () => {
    evil = await register()
  })

  const broken: Record<string, string | undefined>[] = [
    { scope: undefined },
    { scope: 'email' },
    { prompt: 'dance' },
    {},
    { response_type: 'token', ...pkce },
    { response_mode: 'fragment' },
    { resource: 'https://other.example', ...pkce },
    { prompt: 'none', scope: undefined },
  ]

  describe('a link to this instance', () => {
    it.each(broken)(
      'does not redirect to a third-party site if a self-registered app sends an invalid request (parameters: %o)',
      async (params) => {
        for (const browser of [stranger(), owner.browser]) {
          const page = await browser.follow(authorizeUrl(evil, params), html)
          expect(page.status).toBe(400)
          expect(page.headers.get('location')).toBeNull()
          expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
          const text = await page.text()
          expect(text).toContain('Continue to evil.example')
          expect(text).not.toContain('<script')
        }
      },
    )

    it('does not redirect to a third-party site if a self-registered app requires an unsupported acr value', async () => {
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['gold'] } } })
      const page = await owner.browser.follow(authorizeUrl(evil, { claims, ...pkce }), html)
      expect(new URL(page.url).origin).toBe(config().BASE_URL)
      expect(page.headers.get('location')).toBeNull()
    })

    it('does not submit a form response to a third-party site before the user clicks', async () => {
      const page = await stranger().follow(authorizeUrl(evil, { response_mode: 'form_post' }), html)
      const text = await page.text()
      expect(text).toContain('<form method="post" action="https://evil.example/cb">')
      expect(text).toContain('name="error" value="invalid_request"')
      expect(text).not.toContain('<script')
    })

    it('leads to a page whose link to the app contains the error if the authorization request is invalid', async () => {
      const text = await (
        await stranger().follow(authorizeUrl(evil, { scope: 'email', ...pkce }), html)
      ).text()
      const href = /<a class="button"[^>]* href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') as string
      expect(Object.fromEntries(new URL(href).searchParams)).toMatchObject({
        error: 'invalid_scope',
        state: 'the-state',
        iss: `${config().BASE_URL}/oauth`,
      })
    })

    it('leads to a page that identifies a program on this computer or a custom scheme as the destination', async () => {
      const cli = await register({ redirect_uris: ['http://127.0.0.1:7777/callback'] })
      expect(await (await stranger().follow(authorizeUrl(cli), html)).text()).toContain(
        'a program on this computer',
      )
      const odd = await register({ redirect_uris: ['evil://bank.example/cb'] })
      const text = await (await stranger().follow(authorizeUrl(odd), html)).text()
      expect(text).toContain('Continue to evil://')
      expect(text).not.toContain('Continue to bank.example')
    })

    it('leads to a JSON error if the authorization request is invalid and the client accepts JSON', async () => {
      const answer = await stranger().follow(authorizeUrl(evil), { headers: { accept: 'application/json' } })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_request' }),
      ])
    })

    it('redirects to an app that was created in the settings, even if the authorization request is invalid', async () => {
      for (const params of broken) {
        if (Object.keys(params).length === 0 || params.response_mode) continue
        const answer = await stranger().request(authorizeUrl(web, params), html)
        expect(answer.status).toBe(302)
        expect(answer.headers.get('location')).toContain(web.redirectUri)
      }
    })
  })

  describe('a self-registered app receives the response by redirect', () => {
    const errorOf = (response: Response) =>
      new URL(response.headers.get('location') as string).searchParams.get('error')

    it('when it sends prompt=none', async () => {
      const url = authorizeUrl(evil, { prompt: 'none', ...pkce })
      expect(errorOf(await stranger().request(url, html))).toBe('login_required')
      expect(errorOf(await (await makeOwner()).browser.request(url, html))).toMatch(/^(interaction|consent)_/)
    })

    it('when the user has allowed or denied access', async () => {
      const { browser } = await makeOwner()
      const page = await browser.follow(authorizeUrl(evil, pkce))
      const path = new URL(page.url).pathname
      const denied = await browser.submit(`${path}/decision`, [['decision', 'deny']])
      expect(denied.headers.get('location')).toContain('https://evil.example/cb?error=access_denied')
      expect((await signInToApp(browser, evil)).status).toBe(200)
    })
  })

  describe('a sign-out', () => {
    const end = (app: TestApp, to: string) =>
      `/oauth/session/end?${new URLSearchParams({ client_id: app.clientId, post_logout_redirect_uri: to, state: 's' })}`

    it('does not redirect to a third-party site when no one is signed in', async () => {
      const page = await server.fetch(end(evil, bye), html)
      expect([page.status, page.headers.get('location')]).toEqual([200, null])
      const text = await page.text()
      expect(text).toContain('Continue to evil.example')
      expect(text).toContain(`href="${bye}?state=s"`)
      expect(text).not.toContain('<script')
    })

    it('shows the destination on the confirmation page when a user is signed in', async () => {
      const { browser } = await makeOwner()
      const page = await browser.request(end(evil, bye), html)
      const text = await page.text()
      expect(text).toContain('Sign out?')
      expect(text).toContain('evil.example')
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] as string
      const fields: [string, string][] = [
        ['xsrf', xsrf],
        ['logout', 'yes'],
      ]
      const done = await browser.submit('/oauth/session/end/confirm', fields)
      expect(done.headers.get('location')).toBe(`${bye}?state=s`)
    })

    it('requires confirmation even with an ID token of a self-registered app', async () => {
      const { browser, user } = await makeOwner()
      const { body } = await signInToApp(browser, evil)
      const query = new URLSearchParams({
        id_token_hint: body.id_token as string,
        post_logout_redirect_uri: bye,
      })
      const page = await browser.request(`/oauth/session/end?${query}`, html)
      expect(await page.text()).toContain('Sign out?')
      expect(await prisma().session.count({ where: { userId: user.id, revokedAt: null } })).toBe(1)
    })
  })
})

describe('apps of unconfirmed accounts', () => {
  /** This server must not redirect to the URL of an app whose owner has no confirmed email address. */

  beforeAll(() => {
    // The instance can send email, because the demo stores it in its mailbox.
    vi.stubEnv('SEED_DEMO', '1')
    resetConfig()
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    resetConfig()
  })

  const redirectUri = 'https://evil.example/cb'
  const bye = 'https://evil.example/bye'
  const input = { name: 'Evil', type: 'WEB', redirectUris: redirectUri, inDevelopment: false }

  async function makeUnconfirmed() {
    const user = await makeUser()
    await prisma().user.update({ where: { id: user.id }, data: { emailVerifiedAt: null } })
    const workspace = await makeWorkspace([[user, 'ADMIN']])
    return { user, workspace }
  }

  async function makeEvil() {
    const { user, workspace } = await makeUnconfirmed()
    const { app } = await createApp(sessionOf({ user }), { ...input, workspaceId: workspace.id })
    await updateApp(sessionOf({ user }), app.id, { postLogoutRedirectUris: bye })
    const evil: TestApp = { clientId: app.id, redirectUri }
    return { user, workspace, evil }
  }

  const stageOf = async (id: string) =>
    (await prisma().oAuthClient.findUniqueOrThrow({ where: { id } })).inDevelopment

  describe('an app of a user whose email address is not confirmed', () => {
    it('stays in development, regardless of the input and of how it is created', async () => {
      const { user, workspace } = await makeUnconfirmed()
      const { token } = await makeApiToken(user)
      const console = await createApp(sessionOf({ user }), { ...input, workspaceId: workspace.id })
      expect(await stageOf(console.app.id)).toBe(true)
      await expect(
        updateApp(sessionOf({ user }), console.app.id, { inDevelopment: false }),
      ).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      const graphql = await queryApi(
        token,
        `mutation { oauthAppCreate(input: { workspaceId: "${workspace.id}", name: "B", type: WEB,
         redirectUris: ["${redirectUri}"], inDevelopment: false }) { oauthApp { inDevelopment } } }`,
      )
      expect(graphql.data).toEqual({ oauthAppCreate: { oauthApp: { inDevelopment: true } } })
      await callTool(token, 'create_oauth_app', {
        workspaceId: workspace.id,
        name: 'C',
        type: 'WEB',
        redirectUris: [redirectUri],
      })
      const apps = await prisma().oAuthClient.findMany({ where: { workspaceId: workspace.id } })
      expect(apps.map(({ name, inDevelopment }) => [name, inDevelopment]).sort()).toEqual([
        ['B', true],
        ['C', true],
        ['Evil', true],
      ])
    })

    it('can be moved to production after the email address is confirmed', async () => {
      const { user, evil } = await makeEvil()
      await prisma().user.update({ where: { id: user.id }, data: { emailVerifiedAt: new Date() } })
      await updateApp(sessionOf({ user }), evil.clientId, { inDevelopment: false })
      expect(await stageOf(evil.clientId)).toBe(false)
      const answer = await new TestBrowser().request(authorizeUrl(evil, { scope: 'email' }), html)
      expect(answer.headers.get('location')).toContain(redirectUri)
    })

    it('can be in production if the instance cannot send confirmation emails, but its errors are not redirected', async () => {
      vi.stubEnv('SEED_DEMO', '0')
      resetConfig()
      const { user, workspace } = await makeUnconfirmed()
      const { app } = await createApp(sessionOf({ user }), { ...input, workspaceId: workspace.id })
      vi.stubEnv('SEED_DEMO', '1')
      resetConfig()
      expect(await stageOf(app.id)).toBe(false)
      await expectPage(new TestBrowser(), { clientId: app.id, redirectUri }, { scope: 'email' })
    })
  })

  async function expectPage(browser: TestBrowser, app: TestApp, params: Record<string, string | undefined>) {
    const page = await browser.follow(authorizeUrl(app, params), html)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    const text = await page.text()
    expect(text).toContain('Continue to evil.example')
    expect(text).not.toContain('<script')
  }

  const broken: Record<string, string | undefined>[] = [
    { scope: 'email' },
    { prompt: 'dance' },
    { response_type: 'token', ...pkce },
    { response_mode: 'form_post', scope: 'email' },
    { response_mode: 'fragment', scope: 'email' },
    { resource: 'https://other.example', ...pkce },
    { prompt: 'none', scope: 'email' },
    { prompt: 'none', ...pkce },
  ]

  describe('an authorization error of an app in development', () => {
    it.each(broken)(
      'is shown to users outside the app’s workspace on a page that names the destination (request: %o)',
      async (params) => {
        const { evil, workspace } = await makeEvil()
        await expectPage(new TestBrowser(), evil, params)
        await expectPage(owner.browser, evil, params)
        const removed = await makeUser()
        await joinWorkspace(workspace, removed, 'MEMBER')
        await prisma().workspaceMember.deleteMany({ where: { userId: removed.id } })
        await expectPage(await signedInBrowser(removed.id), evil, params)
      },
    )

    it('is redirected for a member of the app’s workspace', async () => {
      const { user, evil, workspace } = await makeEvil()
      const viewer = await makeUser()
      await joinWorkspace(workspace, viewer, 'VIEWER')
      for (const { id } of [user, viewer]) {
        const browser = await signedInBrowser(id)
        const answer = await browser.request(authorizeUrl(evil, { scope: 'email' }), html)
        expect(answer.headers.get('location')).toContain(`${redirectUri}?error=invalid_scope`)
        const silent = await browser.request(authorizeUrl(evil, { prompt: 'none', ...pkce }), html)
        expect(silent.headers.get('location')).toContain(`${redirectUri}?error=`)
      }
    })

    it('is not redirected for a visitor who cancels the sign-in', async () => {
      const { evil } = await makeEvil()
      const browser = new TestBrowser()
      const page = await browser.follow(authorizeUrl(evil, pkce))
      const next = new URL(String(page.headers.get('location')), page.url).searchParams.get('next')
      const answer = await browser.submit(`${next}/cancel`, [], html.headers)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(await answer.text()).toContain('Continue to evil.example')
    })
  })

  describe('a sign-out through an app in development', () => {
    const end = (params: Record<string, string>) =>
      `/oauth/session/end?${new URLSearchParams({ post_logout_redirect_uri: bye, ...params })}`

    it('does not redirect a visitor who is not signed in', async () => {
      const { evil } = await makeEvil()
      const page = await server.fetch(end({ client_id: evil.clientId }), html)
      expect([page.status, page.headers.get('location')]).toEqual([200, null])
      expect(await page.text()).toContain('Continue to evil.example')
    })

    it('requires confirmation from a user who can no longer use the app, even with an ID token', async () => {
      const { evil, workspace } = await makeEvil()
      const member = await makeUser()
      await joinWorkspace(workspace, member, 'MEMBER')
      const browser = await signedInBrowser(member.id)
      await changeApp(evil, { type: 'NATIVE' })
      const { body } = await signInToApp(browser, evil)
      await prisma().workspaceMember.deleteMany({ where: { userId: member.id } })
      const page = await browser.request(end({ id_token_hint: String(body.id_token) }), html)
      expect(await page.text()).toContain('Sign out?')
      expect(await prisma().session.count({ where: { userId: member.id, revokedAt: null } })).toBe(1)
    })
  })
})

describe('a redirect URI of this instance', () => {
  const redirectUri = `${config().BASE_URL}/logout`

  it('cannot be registered', async () => {
    const response = await server.fetch('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error_description: expect.stringContaining('is an address of this instance'),
    })
  })

  it('receives no posted response, even if an earlier release registered it', async () => {
    const app = await owner.makeApp({ redirectUris: [redirectUri] })
    const broken = { prompt: 'none', scope: undefined, code_challenge: undefined }
    for (const more of [{ prompt: 'none' }, { prompt: 'none', state: 'x' }, broken]) {
      const page = await owner.browser.request(authorizeUrl(app, { ...more, response_mode: 'form_post' }), {
        headers: { accept: 'text/html' },
      })
      expect(page.status).toBe(400)
      const html = await page.text()
      expect(html).toContain('invalid_redirect_uri')
      expect(html).not.toContain('<form')
    }
    const redirect = await owner.browser.request(authorizeUrl(app, { prompt: 'none' }))
    expect(redirect.headers.get('location')).toContain(`${redirectUri}?error=consent_required`)
  })
})
