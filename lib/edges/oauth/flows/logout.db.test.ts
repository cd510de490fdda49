import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import type { TestBrowser } from '@/lib/testing/oauth-browser'
import { authorizeUrl, offline, refresh, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, type Owner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { startTlsServer } from '@/lib/testing/tls-server'

const { server, owner, web } = await startOAuthWorld()
const after = 'https://app.example.test/bye'

/** Registers `after` as the app's only return URL. */
const allowReturn = ({ clientId: id }: TestApp) =>
  prisma().oAuthClient.update({ where: { id }, data: { postLogoutRedirectUris: [after] } })

describe('logout', () => {
  describe('RP-initiated logout', () => {
    it('with the app’s ID token ends the session without confirmation, and returns to the app with the state', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      await allowReturn(app)
      const { body } = await signInToApp(someone.browser, app, offline)
      const query = new URLSearchParams({
        id_token_hint: body.id_token as string,
        post_logout_redirect_uri: after,
        state: 's-1',
      })
      const done = await someone.browser.request(`/oauth/session/end?${query}`)
      expect([done.status, done.headers.get('location')]).toEqual([302, `${after}?state=s-1`])
      const live = await prisma().session.count({ where: { userId: someone.user.id, revokedAt: null } })
      expect(live).toBe(0)
      const next = new URL(
        (await someone.browser.follow(authorizeUrl(app))).headers.get('location') as string,
        config().BASE_URL,
      )
      expect(next.pathname).toBe('/login')
      // The sign-out does not end offline access.
      expect((await refresh(app, body.refresh_token as string)).status).toBe(200)
    })

    it('shows an error about the sign-out, not about a sign-in, if the request is rejected', async () => {
      const app = await owner.makeApp()
      const { name } = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: app.clientId } })
      const after = { post_logout_redirect_uri: 'https://unregistered.example/' }
      for (const [query, title] of [
        [{ client_id: app.clientId, ...after }, `${name} sent a sign-out request`],
        [{ client_id: 'unknown', ...after }, 'This sign-out link doesn’t work'],
      ] as const) {
        const page = await owner.browser.request(`/oauth/session/end?${new URLSearchParams(query)}`, {
          headers: { accept: 'text/html' },
        })
        const html = await page.text()
        expect([page.status, html]).toEqual([400, expect.stringContaining(`<h1>${title}`)])
        expect(html).toContain('didn’t sign you out')
        expect(html).not.toContain('sign-in')
      }
    })

    it('requires confirmation if the ID token belongs to an earlier session or another user', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      await allowReturn(app)
      const hintOf = async (browser: TestBrowser) => (await signInToApp(browser, app)).body.id_token as string
      const before = await hintOf(someone.browser)
      const another = await hintOf((await makeOwner()).browser)
      const later = await signedInBrowser(someone.user.id)
      await prisma().session.updateMany({
        where: { userId: someone.user.id, revokedAt: null },
        data: { createdAt: new Date(Date.now() + 5000) },
      })
      await hintOf(later)
      for (const id_token_hint of [before, another]) {
        const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: after })
        const page = await later.request(`/oauth/session/end?${query}`)
        expect(page.status).toBe(200)
        expect(await page.text()).toContain('Sign out?')
      }
    })

    it('requires confirmation if the request contains no return URL', async () => {
      const someone = await makeOwner()
      const { body } = await signInToApp(someone.browser, await someone.makeApp())
      const page = await someone.browser.request(`/oauth/session/end?id_token_hint=${body.id_token}`)
      expect(await page.text()).toContain('Sign out?')
    })

    it('does not return to an unregistered URL', async () => {
      const { body } = await signInToApp(owner.browser, web)
      const query = new URLSearchParams({
        id_token_hint: body.id_token as string,
        post_logout_redirect_uri: 'https://evil.example/',
      })
      expect((await owner.browser.request(`/oauth/session/end?${query}`)).status).toBe(400)
      expect(decodeJwt(body.id_token as string).sub).toBe(owner.user.id)
    })
  })

  describe('RP-initiated logout by a browser that is signed in', () => {
    const live = (user: Owner['user']) =>
      prisma().session.count({ where: { userId: user.id, revokedAt: null } })

    const answer = async (someone: Owner, query: string, choice: [string, string][]) => {
      const page = await someone.browser.request(`/oauth/session/end${query}`)
      expect(page.status).toBe(200)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] as string
      return someone.browser.submit('/oauth/session/end/confirm', [['xsrf', xsrf], ...choice])
    }
    const confirm = (someone: Owner, query: string) => answer(someone, query, [['logout', 'yes']])

    it('ends on a page that says whether the user is still signed in', async () => {
      const someone = await makeOwner()
      const { clientId } = await someone.makeApp()
      const textOf = async (response: Promise<Response>) => (await response).text()
      for (const query of ['', `?client_id=${clientId}`]) {
        expect(await textOf(answer(someone, query, []))).toContain('You’re still signed in')
      }
      expect(await live(someone.user)).toBe(1)
      expect(await textOf(confirm(someone, `?client_id=${clientId}`))).toContain('You’re signed out')
      expect(await live(someone.user)).toBe(0)
    })

    it('cannot be confirmed without the XSRF token of the browser’s own confirmation page', async () => {
      const [someone, another] = [await makeOwner(), await makeOwner()]
      const foreign = await another.browser.request('/oauth/session/end')
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await foreign.text())?.[1] as string
      await someone.browser.request('/oauth/session/end')
      for (const fields of [[], [['xsrf', xsrf]], [['xsrf', '']]] as [string, string][][]) {
        const sent: [string, string][] = [...fields, ['logout', 'yes']]
        expect((await someone.browser.submit('/oauth/session/end/confirm', sent)).status).toBe(400)
      }
      expect(await live(someone.user)).toBe(1)
    })

    it('fails with a modified id_token_hint', async () => {
      const someone = await makeOwner()
      const { body } = await signInToApp(someone.browser, await someone.makeApp())
      const [header = '', payload = '', signature = ''] = (body.id_token as string).split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const hints = {
        'another user': [header, encode({ ...claims, sub: owner.user.id }), signature],
        'another app': [header, encode({ ...claims, aud: web.clientId }), signature],
        'another issuer': [header, encode({ ...claims, iss: 'https://evil.example' }), signature],
        'no signature': [encode({ alg: 'none' }), payload, ''],
        'half a signature': [header, payload, signature.slice(0, 40)],
        'one part': [header],
      }
      for (const [name, parts] of Object.entries(hints)) {
        const query = new URLSearchParams({ id_token_hint: parts.join('.') })
        const page = await someone.browser.request(`/oauth/session/end?${query}`)
        expect(page.status, name).toBe(400)
        expect(await page.text(), name).not.toContain('name="xsrf"')
      }
      expect(await live(someone.user)).toBe(1)
    })

    it('does not fetch the metadata document that a forged id_token_hint names as its audience', async () => {
      let asked = 0
      const host = await startTlsServer((_req, res) => {
        asked += 1
        res.end('{}')
      })
      const close = allowOutboundForTests({
        networks: ['127.0.0.0/8', '::1/128'],
        ports: [host.port],
        ca: host.ca,
      })
      try {
        const { privateKey } = await generateKeyPair('ES256')
        const hint = await new SignJWT({ sub: owner.user.id, aud: `${host.origin}/app.json` })
          .setProtectedHeader({ alg: 'ES256' })
          .setIssuer(`${config().BASE_URL}/oauth`)
          .sign(privateKey)
        const page = await owner.browser.request(`/oauth/session/end?id_token_hint=${hint}`)
        expect(page.status).toBe(400)
        expect(await page.text()).toContain('could not validate id_token_hint')
        expect(asked).toBe(0)
      } finally {
        close()
        await host.close()
      }
    })

    it('accepts an expired ID token as id_token_hint', async () => {
      const someone = await makeOwner()
      const { body } = await signInToApp(someone.browser, await someone.makeApp())
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3600 * 1000 })
      try {
        const page = await someone.browser.request(`/oauth/session/end?id_token_hint=${body.id_token}`)
        expect(page.status).toBe(200)
      } finally {
        vi.useRealTimers()
      }
    })

    it.each(['?state=s-1', ''])(
      'does not redirect to an app if the request contains no return URL (query: "%s")',
      async (query) => {
        const someone = await makeOwner()
        const done = await confirm(someone, query)
        expect(done.status).toBe(200)
        const { origin, searchParams } = new URL(done.url)
        expect([origin, searchParams.get('state')]).toEqual([config().BASE_URL, null])
        expect(await live(someone.user)).toBe(0)
      },
    )

    it('returns to a registered URL of the app in client_id even without an id_token_hint', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      await allowReturn(app)
      const query = new URLSearchParams({
        client_id: app.clientId,
        post_logout_redirect_uri: after,
        state: 's',
      })
      expect((await confirm(someone, `?${query}`)).headers.get('location')).toBe(`${after}?state=s`)
    })
  })
})

describe('pages of this instance', () => {
  /**
   * Every OAuth page must be a page of the service, have its Content-Security-Policy, and not be cacheable.
   */

  beforeAll(async () => {
    await allowReturn(web)
  })

  const html = { headers: { accept: 'text/html' } }

  async function expectOwnPage(response: Response): Promise<string> {
    const text = await response.text()
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('content-security-policy')).toContain("font-src 'self'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(text).toContain(`Secured by ${config().serviceName}`)
    return text
  }

  describe('a logout without a session', () => {
    it('ends on a page of this instance', async () => {
      const first = await server.fetch('/oauth/session/end', html)
      expect(first.status).toBe(302)
      const page = await server.fetch(first.headers.get('location') as string, html)
      expect(page.status).toBe(200)
      expect(await expectOwnPage(page)).toContain('You’re signed out')
    })

    it('returns to the app’s registered URL, with the state', async () => {
      const { body } = await signInToApp(owner.browser, web)
      for (const [name, value] of [
        ['client_id', web.clientId],
        ['id_token_hint', body.id_token as string],
      ] as const) {
        const query = new URLSearchParams({ [name]: value, post_logout_redirect_uri: after, state: 'a b&c' })
        const response = await server.fetch(`/oauth/session/end?${query}`, html)
        expect([response.status, response.headers.get('location')]).toEqual([302, `${after}?state=a+b%26c`])
      }
    })

    it('does not return to a URL that is not registered', async () => {
      const evil = 'https://evil.example/'
      const unregistered = new URLSearchParams({ client_id: web.clientId, post_logout_redirect_uri: evil })
      expect((await server.fetch(`/oauth/session/end?${unregistered}`, html)).status).toBe(400)
      const unnamed = await server.fetch(`/oauth/session/end?post_logout_redirect_uri=${evil}`, html)
      expect(unnamed.headers.get('location')).toBe(`${config().BASE_URL}/oauth/session/end/success`)
    })
  })

  describe('response_mode=form_post', () => {
    const post = (params: Record<string, string>) =>
      owner.browser.follow(authorizeUrl(web, { response_mode: 'form_post', ...params }), html)
    const field = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]

    it('posts the code to the app from a page of this instance, and escapes the state', async () => {
      await signInToApp(owner.browser, web)
      const response = await post({ state: '"><script>alert(1)</script>' })
      expect(response.status).toBe(200)
      const page = await expectOwnPage(response)
      expect(page).toContain(`<form method="post" action="${web.redirectUri}">`)
      expect(field(page, 'code')).toMatch(/^lk_ac_/)
      expect(field(page, 'iss')).toBe(`${config().BASE_URL}/oauth`)
      expect(page).not.toContain('<script>alert')
      const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
      const digest = Buffer.from(
        await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)),
      ).toString('base64')
      expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${digest}'`)
    })

    it('posts an error to the app from a page of this instance', async () => {
      const response = await post({ scope: 'email' })
      expect(response.status).toBe(400)
      expect(field(await expectOwnPage(response), 'error')).toBe('invalid_scope')
    })
  })

  it('show an error if another user signs in after the consent decision but before the request resumes', async () => {
    const [first, second] = [await makeOwner(), await makeOwner()]
    const app = await first.makeApp()
    const start = await first.browser.request(authorizeUrl(app), html)
    const uid = (start.headers.get('location') as string).split('/').at(-1)
    const decided = await first.browser.request(`/interaction/${uid}/decision`, {
      method: 'POST',
      headers: { origin: config().BASE_URL, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=authorize',
    })
    second.browser.lendSession(first.browser)
    const back = await first.browser.request(decided.headers.get('location') as string, html)
    expect(back.status).toBe(400)
    await expectOwnPage(back)
  })
})
