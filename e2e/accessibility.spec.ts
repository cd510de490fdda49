import type { Page } from '@playwright/test'
import { findBarriers } from './support/accessibility'
import { expect, test } from './support/test'

/** Goes from page to page. @returns what keeps people out, each with its page */
async function visit(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(200)
    found.push(...(await findBarriers(page)).map((line) => `${path}: ${line}`))
  }
  return found
}

test('nothing keeps people out who are not signed in', async ({ page }) => {
  expect(await visit(page, ['/login', '/signup', '/forgot-password', '/docs'])).toEqual([])
})
