import { expect, type Locator, type Page } from '@playwright/test'

/** Returns the open command palette. */
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Jump to a page or action' })

/** Presses the palette's keys until it opens, because the page is visible before its scripts have loaded. */
export const openPalette = (page: Page): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()

/** Waits until the scripts of a console page respond to keys. */
export async function awaken(page: Page): Promise<void> {
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
}
