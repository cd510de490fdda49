import { describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { pool } from '@/lib/base/db/pool'
import { TestBrowser } from '@/lib/testing/oauth-browser'
import { authorize, authorizeUrl, requestToken, type TestApp } from '@/lib/testing/oauth-flow'
import { makeOwner, signedInBrowser, startOAuthWorld } from '@/lib/testing/oauth-world'

await startOAuthWorld()

const many = 6

/** Apps that all open the same browser. */
async function manyApps() {
  const owner = await makeOwner()
  const apps = await Promise.all(Array.from({ length: many }, () => owner.makeApp()))
  return { owner, apps }
}

const pathOf = (response: Response) => new URL(response.url).pathname

const allow = (browser: TestBrowser, page: string) =>
  browser.submit(`${page}/decision`, [['decision', 'authorize']])

/** What the app does with the answer that the browser brings it. */
async function redeemed(app: TestApp, answer: Response): Promise<number> {
  const code = new URL(answer.headers.get('location') as string).searchParams.get('code')
  const fields = { grant_type: 'authorization_code', code: String(code), redirect_uri: app.redirectUri }
  return (await requestToken(app, fields)).status
}

const every = (value: number) => new Array(many).fill(value)

describe('several authorization requests at once in one browser', () => {
  it('all end in a code, answered at once', async () => {
    const { owner, apps } = await manyApps()
    const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
    expect(pages.map(({ status }) => status)).toEqual(every(200))
    const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
    expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(every(200))
  })

  it('all end in a code, answered one by one and the last one first', async () => {
    const { owner, apps } = await manyApps()
    const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
    for (const [i, page] of [...pages.entries()].reverse()) {
      expect(await redeemed(apps[i] as TestApp, await allow(owner.browser, pathOf(page)))).toBe(200)
    }
  })

  it('all end in a code where nobody needs to be asked', async () => {
    const { owner, apps } = await manyApps()
    for (const app of apps) await authorize(owner.browser, app)
    const browser = await signedInBrowser(owner.person.id)
    const answers = await Promise.all(apps.map((app) => browser.follow(authorizeUrl(app))))
    expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(every(200))
  })

  it('all end in a code when the person signs in between', async () => {
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
    expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(every(200))
  })

  it('all end in a code when the person signs in anew while they wait', async () => {
    const { owner, apps } = await manyApps()
    const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
    ;(await signedInBrowser(owner.person.id)).lendSession(owner.browser)
    const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
    expect(await Promise.all(apps.map((app, i) => redeemed(app, answers[i] as Response)))).toEqual(every(200))
  })

  it('end in none for another person than the page was shown to', async () => {
    const { owner, apps } = await manyApps()
    const pages = await Promise.all(apps.map((app) => owner.browser.follow(authorizeUrl(app))))
    const other = await makeOwner()
    other.browser.lendSession(owner.browser)
    const answers = await Promise.all(pages.map((page) => allow(owner.browser, pathOf(page))))
    for (const answer of answers) expect(await answer.json()).toEqual({ kind: 'consent' })
  })
})

it('a browser session has one engine session, whatever cookies a browser brings', async () => {
  const { owner, apps } = await manyApps()
  for (const app of apps) {
    owner.browser.dropCookies(/latchkey_oauth/)
    await authorize(owner.browser, app)
  }
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count FROM oauth_artifacts WHERE model = 'Session' AND payload->>'accountId' = $1`,
    [owner.person.id],
  )
  expect(rows[0].count).toBe(1)
})
