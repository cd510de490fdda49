import type { Page } from '@playwright/test'
import { environment } from '../support/environment'
import { test as base, expect } from '../support/test'
import type { Address } from './listing'
import { makeWorld, type Role, type World } from './world'

type Fixtures = {
  /** Replaces the browser's cookies with the session cookies of a role. */
  become: (role: Role) => Promise<void>
}

/** The `test` function for specs that visit many pages, with one world for all tests of a worker. */
export const test = base.extend<Fixtures, { world: World }>({
  world: [
    async ({ browser }, use) => use(await makeWorld(browser, environment().urls.server)),
    { scope: 'worker', timeout: 400_000 },
  ],

  become: async ({ context, world }, use) =>
    use(async (role) => {
      await context.clearCookies()
      await context.addCookies(world.cookies[role])
    }),
})

/**
 * Opens a page. Waits until it has loaded and, if `shows` is set, until that element is visible.
 * @returns the HTTP status of the page
 */
export async function visit(page: Page, { at, shows }: Address, world: World): Promise<number | undefined> {
  const answer = await page.goto(at(world))
  if (shows) await page.locator(shows).first().waitFor()
  return answer?.status()
}

/** Returns by how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

export { expect }
