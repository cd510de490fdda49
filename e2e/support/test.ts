import { test as base, type Cookie, expect, type Page } from '@playwright/test'
import { checkEveryAnswer } from '@/lib/testing/checked-fetch'
import { environment } from './environment'
import { Problems } from './problems'
import { takeScreenshots } from './screenshots'
import { type UserName, users } from './users'

// Checks the product's response to every `fetch` call of the tests, including calls by client libraries under
// test, against the OpenAPI document.
checkEveryAnswer()

type Fixtures = {
  /** The errors that the browser reported. Unexpected errors fail the test when it ends. */
  problems: Problems
  /**
   * Signs in a demo user on the test's page and replaces the current session. Tests in other workers share
   * the demo users: tests that end sessions or change the user must sign up their own users (`signUp`).
   */
  signIn: (user: UserName) => Promise<void>
  /** Takes screenshots of the test's page, or of `of`, if SCREENSHOTS=1 (CONTRIBUTING.md, Tests). */
  screenshots: (name: string, of?: Page) => Promise<void>
}

type WorkerFixtures = {
  /**
   * The session cookies of the users who have signed in. Tests reuse them, because sign-in is rate limited
   * and slow.
   */
  sessions: Map<UserName, Cookie[]>
}

/**
 * The `test` function of every spec. Tests use a real Chromium and the product that the global setup started.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const browser = environment().browser
      const env = Object.fromEntries(
        Object.entries(browser?.env ?? {}).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        ),
      )
      await use(browser ? { ...launchOptions, executablePath: browser.executablePath, env } : launchOptions)
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
  baseURL: ({}, use, { project }) => use(environment().urls[project.name as 'server' | 'routes']),

  problems: [
    async ({ context }, use) => {
      const problems = new Problems(context)
      await use(problems)
      expect(problems.list(), 'the browser complained').toEqual([])
    },
    { auto: true },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  sessions: [({}, use) => use(new Map()), { scope: 'worker' }],

  signIn: async ({ page, context, sessions }, use) => {
    await use(async (user) => {
      // Clear the cookies, because a sign-in would end the browser's previous session, which other tests
      // still use.
      await context.clearCookies()
      const known = sessions.get(user)
      if (known) return context.addCookies(known)
      await signInByForm(page, users[user].email, environment().demoPassword)
      sessions.set(user, await context.cookies())
    })
  },

  screenshots: ({ page }, use, { project }) =>
    use(async (name, of = page) => {
      if (process.env.SCREENSHOTS === '1') await takeScreenshots(of, `${project.name}/${name}`)
    }),
})

/** Fills in and submits the form at /login, and waits until the server accepts the sign-in. */
export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

export { expect }
