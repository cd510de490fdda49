import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { joinWorkspace, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { openConsent, outcome, submitConsent } from '@/lib/testing/oauth-consent'
import {
  authorize,
  authorizeUrl,
  codeFrom,
  codeGrant,
  requestToken,
  signInToApp,
  type TestApp,
} from '@/lib/testing/oauth-flow'
import { makeOwner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'
import { oauthEngine } from '../engine/provider'
import { oneFactor, twoFactors } from '../engine/sessions'
import { loadConsentView } from '../interaction/consent-view'
import { peekInteraction } from '../interaction/next-step'

/** Sign-ins to apps: the browser's session, parallel requests, and the pages. */
const { owner, web } = await startOAuthWorld()

/** Returns the path to which the sign-in page returns. */
const nextOf = (login: Response): string =>
  new URL(login.headers.get('location') as string, config().BASE_URL).searchParams.get('next') as string

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
    await pool().query(`UPDATE sessions SET methods = '{pwd,otp,mfa}' WHERE user_id = $1`, [someone.user.id])
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
      const login = await submitConsent(one.browser, page)
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

describe('requests from several apps in one browser', () => {
  const many = 6

  /** Creates an owner with several apps. */
  async function manyApps() {
    const owner = await makeOwner()
    const apps = await Promise.all(Array.from({ length: many }, () => owner.makeApp()))
    return { owner, apps }
  }

  const pathOf = (response: Response) => new URL(response.url).pathname

  const openAll = (browser: TestBrowser, apps: TestApp[]) =>
    Promise.all(apps.map((app) => browser.follow(authorizeUrl(app))))
  const allowAll = (browser: TestBrowser, pages: Response[]) =>
    Promise.all(pages.map((page) => submitConsent(browser, pathOf(page))))

  /** Redeems the code in the redirect to the app. */
  const redeemed = async (app: TestApp, answer: Response) =>
    (await requestToken(app, codeGrant(app, codeFrom(answer)))).status

  /** Requires that each response redirects to its app with a code. */
  const expectCodes = async (apps: TestApp[], answers: Response[]) =>
    expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(every(200))

  const every = (value: number) => new Array(many).fill(value)

  describe('authorization requests that are open at the same time', () => {
    it('all return a code if the user answers them in parallel', async () => {
      const { owner, apps } = await manyApps()
      const pages = await openAll(owner.browser, apps)
      expect(pages.map(({ status }) => status)).toEqual(every(200))
      const answers = await allowAll(owner.browser, pages)
      await expectCodes(apps, answers)
    })

    it('all return a code if the user answers them one by one in reverse order', async () => {
      const { owner, apps } = await manyApps()
      const pages = await openAll(owner.browser, apps)
      for (const [i, page] of [...pages.entries()].reverse()) {
        expect(await redeemed(apps[i] as TestApp, await submitConsent(owner.browser, pathOf(page)))).toBe(200)
      }
    })

    it('all return a code if no page is needed', async () => {
      const { owner, apps } = await manyApps()
      for (const app of apps) await authorize(owner.browser, app)
      const browser = await signedInBrowser(owner.user.id)
      const answers = await openAll(browser, apps)
      await expectCodes(apps, answers)
    })

    it('all return a code if the user signs in once while all of them wait', async () => {
      const { owner, apps } = await manyApps()
      const browser = new TestBrowser()
      const logins = await openAll(browser, apps)
      owner.browser.lendSession(browser)
      const pages = await Promise.all(logins.map((login) => browser.follow(nextOf(login))))
      const answers = await allowAll(browser, pages)
      await expectCodes(apps, answers)
    })

    it('all return a code if the user signs in again while the consent pages are open', async () => {
      const { owner, apps } = await manyApps()
      const pages = await openAll(owner.browser, apps)
      ;(await signedInBrowser(owner.user.id)).lendSession(owner.browser)
      const answers = await allowAll(owner.browser, pages)
      await expectCodes(apps, answers)
    })

    it('return no code if another user signs in after the consent pages are opened', async () => {
      const { owner, apps } = await manyApps()
      const pages = await openAll(owner.browser, apps)
      const other = await makeOwner()
      other.browser.lendSession(owner.browser)
      const answers = await allowAll(owner.browser, pages)
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

describe('sign-in and consent pages', () => {
  /** Starts an authorization request that waits for a sign-in. */
  async function waiting(params: Record<string, string> = {}) {
    const browser = new TestBrowser()
    return { browser, next: nextOf(await browser.follow(authorizeUrl(web, params))) }
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
