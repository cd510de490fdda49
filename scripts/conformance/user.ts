import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { findChromium } from '@/e2e/support/chromium'

/** The account that signs in. */
export type Account = { email: string; password: string }

/** The user's decision on the consent page. */
type Decision = 'authorize' | 'deny'

/** The newest screenshot of each kind of page that the user saw. */
export type Seen = { signIn?: Buffer; consent?: Buffer; last?: Buffer }

/** The maximum number of pages on the way back to the suite. A higher number indicates a redirect loop. */
const mostPages = 12

/** Starts the browser that the end-to-end tests use. */
export async function startBrowser(): Promise<Browser> {
  const found = await findChromium()
  return chromium.launch({
    ...found,
    env: { ...process.env, ...found?.env } as Record<string, string>,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

/**
 * A user with a separate browser profile that accepts the self-signed certificates of the suite and the
 * product.
 */
export class User {
  readonly #context: BrowserContext
  readonly #account: Account
  readonly #suite: string
  readonly #decision: Decision

  private constructor(context: BrowserContext, account: Account, suite: string, decision: Decision) {
    this.#context = context
    this.#account = account
    this.#suite = suite
    this.#decision = decision
  }

  /** Opens a browser profile for the user. @param suite URL of the suite, where each visit ends */
  static async open(
    browser: Browser,
    account: Account,
    suite: string,
    decision: Decision = 'authorize',
  ): Promise<User> {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 900, height: 700 },
      locale: 'en-US',
    })
    context.setDefaultTimeout(90_000)
    return new User(context, account, suite, decision)
  }

  async close(): Promise<void> {
    await this.#context.close()
  }

  /**
   * Opens a URL, signs in, decides, and confirms until the browser is back at the suite, nothing is left to
   * click, or `mostPages` is reached.
   * @param method GET, or POST to send the URL's parameters as a form
   * @param looksOnly whether the user leaves without clicking anything
   * @returns screenshots of the pages
   * @throws Error with the current URL if an action fails or takes too long; test-results/ then contains a
   * screenshot
   */
  async visit(url: string, method: string, looksOnly = false): Promise<Seen> {
    const page = await this.#context.newPage()
    const seen: Seen = {}
    try {
      if (method === 'POST') await this.#submit(page, url)
      else await page.goto(url, { waitUntil: 'load' })
      if (looksOnly) {
        seen.last = await page.screenshot()
        return seen
      }
      for (let pages = 0; pages < mostPages && !page.url().startsWith(this.#suite); pages++) {
        if (!(await this.#step(page, seen))) break
      }
      // Wait until the suite's page has reported the fragment of its URL.
      if (page.url().startsWith(this.#suite)) await page.waitForLoadState('networkidle')
      return seen
    } catch (error) {
      const shown = await page
        .screenshot({ path: `test-results/conformance-${Date.now()}.png` })
        .catch(() => undefined)
      if (shown) seen.last = shown
      throw new Error(`The user was stuck at ${page.url()}.`, { cause: error })
    } finally {
      await page.close()
    }
  }

  /** Sends an authorization request as a form, as the suite's own page does. */
  async #submit(page: Page, url: string): Promise<void> {
    await page.goto(`${this.#suite}/login.html`)
    const { origin, pathname, searchParams } = new URL(url)
    const fields = [...searchParams]
    await Promise.all([
      page.waitForURL((to) => to.origin === origin),
      page.evaluate(
        ([action, inputs]) => {
          const form = document.createElement('form')
          form.method = 'post'
          form.action = action
          for (const [name, value] of inputs) {
            const input = document.createElement('input')
            Object.assign(input, { type: 'hidden', name, value })
            form.append(input)
          }
          document.body.append(form)
          form.submit()
        },
        [`${origin}${pathname}`, fields] as const,
      ),
    ])
  }

  /**
   * Takes a screenshot and performs the action that a page requires. @returns whether the browser moved to
   * another page
   */
  async #step(page: Page, seen: Seen): Promise<boolean> {
    seen.last = await page.screenshot()
    const password = page.locator('input[name=password]')
    if (await password.isVisible()) {
      seen.signIn = seen.last
      // Deny the request on the sign-in page, because the consent page does not appear if the user has
      // already authorized the app.
      if (this.#decision === 'deny') return this.#click(page, page.locator('form[action$="/cancel"] button'))
      await page.locator('form:has(input[name=password]) input[name=email]').fill(this.#account.email)
      await password.fill(this.#account.password)
      return this.#click(page, page.locator('form:has(input[name=password]) button[type=submit]').last())
    }
    const decide = page.locator(`button[name=decision][value=${this.#decision}]`)
    if (await decide.isVisible()) {
      seen.consent = seen.last
      return this.#click(page, decide)
    }
    for (const button of [
      page.locator('button[name=logout][value=yes]'),
      page.locator(`a.button[href^="${this.#suite}"]`),
      page.locator(`form[action^="${this.#suite}"] button[type=submit]`),
    ]) {
      if (await button.isVisible()) return this.#click(page, button)
    }
    return false
  }

  async #click(page: Page, button: ReturnType<Page['locator']>): Promise<boolean> {
    await Promise.all([
      page.waitForEvent('framenavigated', { timeout: 90_000 }),
      button.click({ timeout: 90_000 }),
    ])
    await page.waitForLoadState('load')
    return true
  }
}
