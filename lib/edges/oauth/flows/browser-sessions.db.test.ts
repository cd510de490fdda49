import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { openConsent, outcome } from '@/lib/testing/oauth-consent'
import { authorize, authorizeUrl, requestToken, signInToApp, type TestApp } from '@/lib/testing/oauth-flow'
import { startOAuthServer } from '@/lib/testing/oauth-server'
import { makeOAuthWorld, makeOwner, signedInBrowser } from '@/lib/testing/oauth-world'
import { oneFactor, twoFactors } from '../engine/sessions'

await startOAuthServer()

/** Returns the path to which the sign-in page returns. */
const nextOf = (login: Response): string =>
  new URL(login.headers.get('location') as string, config().BASE_URL).searchParams.get('next') as string

describe('sign-in state', async () => {
  const { owner, web } = await makeOAuthWorld()

  describe('the authorization endpoint', () => {
    it('responds to prompt=none without showing a page', async () => {
      const app = await owner.makeApp()
      expect(await outcome(new TestBrowser(), app, { prompt: 'none' })).toBe('login_required')
      expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('consent_required')
      await authorize(owner.browser, app)
      expect(await outcome(owner.browser, app, { prompt: 'none' })).toBe('code')
      expect(await outcome(await signedInBrowser(owner.user.id), app, { prompt: 'none' })).toBe('code')
    })

    it('with prompt=login or max_age=0, continues only after a new sign-in', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      for (const params of [{ prompt: 'login' }, { max_age: '0' }]) {
        const browser = await signedInBrowser(owner.user.id)
        const login = await browser.follow(authorizeUrl(app, params))
        const to = new URL(login.headers.get('location') as string, config().BASE_URL)
        expect(to.pathname).toBe('/login')
        // The request continues only after a new sign-in. A recent session is not enough.
        const next = to.searchParams.get('next') as string
        await pool().query(`UPDATE sessions SET created_at = now() + interval '1 second'`)
        for (const answer of [await browser.follow(next), await browser.submit(`${next}/continue`, [])])
          expect(answer.headers.get('location')).toContain('/login')
        ;(await signedInBrowser(owner.user.id)).lendSession(browser)
        const done = await browser.follow(next)
        expect(done.headers.get('location')).toContain('code=')
      }
    })

    it('with prompt=login or max_age, does not continue as another user whose sign-in is not recent', async () => {
      const other = await makeOwner()
      await pool().query(`UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [
        other.user.id,
      ])
      for (const params of [{ prompt: 'login consent' }, { prompt: 'consent', max_age: '600' }]) {
        const browser = new TestBrowser()
        const login = await browser.follow(authorizeUrl(web, params))
        const next = nextOf(login)
        ;(await signedInBrowser(owner.user.id)).lendSession(browser)
        const consent = await browser.follow(next)
        expect(consent.status).toBe(200)
        other.browser.lendSession(browser)
        const again = await browser.follow(consent.url)
        expect(again.headers.get('location')).toContain('/login')
      }
    })

    it('with max_age, accepts only a recent sign-in, and returns auth_time', async () => {
      const app = await owner.makeApp()
      const browser = await signedInBrowser(owner.user.id)
      const { body } = await signInToApp(browser, app, { max_age: '600' })
      const { auth_time } = decodeJwt(body.id_token as string)
      expect(Math.abs(Number(auth_time) - Date.now() / 1000)).toBeLessThan(60)
      await pool().query(`UPDATE sessions SET created_at = now() - interval '20 minutes'`)
      expect(await outcome(browser, app, { max_age: '600' })).toBe('login')
    })

    it('continues with the account that the user chooses for prompt=select_account', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      const page = await owner.browser.follow(authorizeUrl(app, { prompt: 'select_account' }))
      const done = await owner.browser.submit(`${new URL(page.url).pathname}/continue`, [])
      expect(done.headers.get('location')).toContain('code=')
    })

    it('shows the account chooser for prompt=select_account', async () => {
      expect(await outcome(owner.browser, web, { prompt: 'select_account' })).toBe('choose-account')
    })

    it('shows the account chooser, or returns an error for prompt=none, if the id_token_hint names another user', async () => {
      const app = await owner.makeApp()
      const { body } = await signInToApp(owner.browser, app)
      const hint = { id_token_hint: body.id_token }
      expect(await outcome(owner.browser, app, { ...hint, prompt: 'none' })).toBe('code')
      const other = await makeOwner()
      expect(await outcome(other.browser, app, { ...hint, prompt: 'none' })).toBe('login_required')
      expect(await outcome(other.browser, app, hint)).toBe('choose-account')
    })

    it('does not enforce acr_values, and returns the acr of the sign-in', async () => {
      const app = await owner.makeApp()
      const acrFor = async (browser: TestBrowser, params: Record<string, string>) => {
        const { status, body } = await signInToApp(browser, app, params)
        expect(status).toBe(200)
        return decodeJwt(body.id_token as string).acr
      }
      const strong = await signedInBrowser(owner.user.id, ['pwd', 'otp', 'mfa'])
      const wish = { acr_values: `phr ${twoFactors}` }
      expect(await acrFor(owner.browser, {})).toBeUndefined()
      expect(await acrFor(owner.browser, wish)).toBe(oneFactor)
      expect(await acrFor(strong, wish)).toBe(twoFactors)
      expect(await outcome(owner.browser, app, { ...wish, prompt: 'none' })).toBe('code')
    })

    it('returns the sign-in methods defined in RFC 8176 if the app requests the amr claim', async () => {
      const browser = await signedInBrowser(owner.user.id, ['ext', 'otp', 'mfa'])
      const claims = JSON.stringify({ id_token: { amr: null, acr: null } })
      const { body } = await signInToApp(browser, await owner.makeApp(), { claims })
      expect(decodeJwt(body.id_token as string)).toMatchObject({ amr: ['otp', 'mfa'], acr: twoFactors })
    })

    it('returns the new acr after two-factor authentication in an existing session', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      const acr = async () => {
        const { body } = await signInToApp(someone.browser, app, { acr_values: twoFactors })
        return decodeJwt(body.id_token as string).acr
      }
      expect(await acr()).toBe(oneFactor)
      await pool().query(`UPDATE sessions SET methods = '{pwd,otp,mfa}' WHERE user_id = $1`, [
        someone.user.id,
      ])
      expect(await acr()).toBe(twoFactors)
    })

    it('accepts only a sign-in that meets an essential acr', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } })
      expect(await outcome(owner.browser, app, { claims })).toBe('unmet_authentication_requirements')
      const strong = await signedInBrowser(owner.user.id, ['hwk', 'mfa'])
      expect(await outcome(strong, app, { claims })).toBe('code')
      const browser = new TestBrowser()
      const login = await browser.follow(authorizeUrl(app, { claims }))
      const to = new URL(login.headers.get('location') as string, config().BASE_URL)
      strong.lendSession(browser)
      const done = await browser.follow(to.searchParams.get('next') as string)
      expect(done.headers.get('location')).toContain('code=')
    })

    it('returns an error for an essential acr that is not available (OpenID Connect Core 5.5.1.1)', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['phr'] } } })
      expect(await outcome(owner.browser, app, { claims })).toBe('unmet_authentication_requirements')
    })

    it('does not ask for consent to claims that are requested by name, because each claim requires its scope', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      const claims = JSON.stringify({ userinfo: { email: { essential: true } }, id_token: { name: null } })
      expect(await outcome(owner.browser, app, { claims })).toBe('code')
    })
  })

  describe('POST /oauth/auth', () => {
    it('returns a code and the unchanged state, like a GET request', async () => {
      const app = await owner.makeApp()
      await authorize(owner.browser, app)
      const { search } = new URL(authorizeUrl(app, { state: 'a&b=c' }))
      const posted = await owner.browser.submit('/oauth/auth', [...new URLSearchParams(search)])
      const answer = new URL(posted.headers.get('location') as string)
      expect(answer.searchParams.get('code')).toBeTruthy()
      expect(answer.searchParams.get('state')).toBe('a&b=c')
    })

    it('rejects a JSON body', async () => {
      const response = await owner.browser.request('/oauth/auth', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      expect(response.status).toBe(400)
    })
  })

  describe('the browser session', () => {
    it('cannot finish a request that the user continued before the session was revoked', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      await authorize(someone.browser, app)
      for (const revoked of [false, true]) {
        const browser = new TestBrowser()
        const login = await browser.follow(authorizeUrl(app))
        const signedIn = await signedInBrowser(someone.user.id)
        signedIn.lendSession(browser)
        const continued = await browser.request(nextOf(login))
        const resume = continued.headers.get('location') as string
        expect(resume).toContain('/oauth/auth/')
        if (revoked)
          await pool().query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [someone.user.id])
        const done = await browser.follow(resume)
        expect(done.headers.get('location')).toContain(revoked ? '/login' : 'code=')
      }
    })

    it('of another user cannot finish a request that needs consent with the first user’s consent', async () => {
      for (const same of [true, false]) {
        const [one, two] = [await makeOwner(), await makeOwner()]
        const app = await one.makeApp()
        await authorize(two.browser, app)
        const page = await openConsent(one.browser, app, { max_age: '600' })
        await pool().query(
          `UPDATE sessions SET created_at = now() - interval '20 minutes' WHERE user_id = $1`,
          [one.user.id],
        )
        const login = await one.browser.submit(`${page}/decision`, [['decision', 'authorize']])
        expect(login.headers.get('location')).toContain('/login')
        ;(await signedInBrowser(same ? one.user.id : two.user.id)).lendSession(one.browser)
        const done = await one.browser.follow(nextOf(login))
        if (same) expect(done.headers.get('location')).toContain('code=')
        else expect(await done.json()).toEqual({ kind: 'consent' })
      }
    })

    it('signs the user in to apps only until it is revoked', async () => {
      const someone = await makeOwner()
      const app = await someone.makeApp()
      await authorize(someone.browser, app)
      expect(await outcome(someone.browser, app)).toBe('code')
      await pool().query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [someone.user.id])
      expect(await outcome(someone.browser, app)).toBe('login')
      expect(await outcome(someone.browser, app, { prompt: 'none' })).toBe('login_required')
    })

    it('determines the user who authorizes the app, even if another user’s session opened the consent page', async () => {
      const [one, two] = [await makeOwner(), await makeOwner()]
      const app = await one.makeApp()
      const page = await openConsent(one.browser, app)
      two.browser.lendSession(one.browser)
      const shown = await one.browser.follow(page)
      expect(shown.status).toBe(200)
      const done = await one.browser.submit(`${new URL(shown.url).pathname}/decision`, [
        ['decision', 'authorize'],
      ])
      expect(done.headers.get('location')).toContain('code=')
      const saved = await prisma().authorization.findMany({ where: { clientId: app.clientId } })
      expect(saved.map(({ userId }) => userId)).toEqual([two.user.id])
    })

    it('lets a workspace viewer authorize an app that requests workspace:admin', async () => {
      const viewer = await makeOwner()
      await joinWorkspace(owner.workspace, viewer.user, 'VIEWER')
      const app = await owner.makeApp()
      const answer = await authorize(
        viewer.browser,
        app,
        { scope: 'openid workspace:admin' },
        { workspaces: [owner.workspace.id] },
      )
      expect(answer.get('code')).toBeTruthy()
    })
  })
})

describe('requests from several apps in one browser', () => {
  const many = 6

  /** Creates an owner with several apps. */
  async function manyApps() {
    const owner = await makeOwner()
    const apps = await Promise.all(Array.from({ length: many }, () => owner.makeApp()))
    return { owner, apps }
  }

  const pathOf = (response: Response) => new URL(response.url).pathname

  const allow = (browser: TestBrowser, page: string) =>
    browser.submit(`${page}/decision`, [['decision', 'authorize']])

  /** Redeems the code in the redirect to the app. */
  async function redeemed(app: TestApp, answer: Response): Promise<number> {
    const code = new URL(answer.headers.get('location') as string).searchParams.get('code')
    const fields = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
    return (await requestToken(app, fields)).status
  }

  const every = (value: number) => new Array(many).fill(value)

  describe('authorization requests that are open at the same time', () => {
    it('all return a code if the user answers them in parallel', async () => {
      const { owner, apps } = await manyApps()
      const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
      expect(pages.map(({ status }) => status)).toEqual(every(200))
      const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
      expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(
        every(200),
      )
    })

    it('all return a code if the user answers them one by one in reverse order', async () => {
      const { owner, apps } = await manyApps()
      const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
      for (const [i, page] of [...pages.entries()].reverse()) {
        expect(await redeemed(apps[i] as TestApp, await allow(owner.browser, pathOf(page)))).toBe(200)
      }
    })

    it('all return a code if no page is needed', async () => {
      const { owner, apps } = await manyApps()
      for (const app of apps) await authorize(owner.browser, app)
      const browser = await signedInBrowser(owner.user.id)
      const answers = await Promise.all(apps.map((app) => browser.follow(authorizeUrl(app))))
      expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(
        every(200),
      )
    })

    it('all return a code if the user signs in once while all of them wait', async () => {
      const { owner, apps } = await manyApps()
      const browser = new TestBrowser()
      const logins = await Promise.all(apps.map((app) => browser.follow(authorizeUrl(app))))
      owner.browser.lendSession(browser)
      const next = logins.map(
        (login) =>
          new URL(login.headers.get('location') as string, config().BASE_URL).searchParams.get(
            'next',
          ) as string,
      )
      const pages = await Promise.all(next.map((path) => browser.follow(path)))
      const answers = await Promise.all(pages.map((page) => allow(browser, pathOf(page))))
      expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(
        every(200),
      )
    })

    it('all return a code if the user signs in again while the consent pages are open', async () => {
      const { owner, apps } = await manyApps()
      const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
      ;(await signedInBrowser(owner.user.id)).lendSession(owner.browser)
      const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
      expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(
        every(200),
      )
    })

    it('return no code if another user signs in after the consent pages are opened', async () => {
      const { owner, apps } = await manyApps()
      const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
      const other = await makeOwner()
      other.browser.lendSession(owner.browser)
      const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
      for (const answer of answers) expect(await answer.json()).toEqual({ kind: 'consent' })
    })
  })

  it('share one oidc-provider session, even if the browser loses the cookies of that session', async () => {
    const { owner, apps } = await manyApps()
    for (const app of apps) {
      owner.browser.dropCookies(/latchkey_oauth/)
      await authorize(owner.browser, app)
    }
    const { rows } = await pool().query(
      `SELECT count(*)::int AS count FROM oauth_artifacts WHERE model = 'Session' AND payload->>'accountId' = $1`,
      [owner.user.id],
    )
    expect(rows[0].count).toBe(1)
  })
})
