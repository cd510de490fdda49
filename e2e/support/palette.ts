import { expect, type Locator, type Page } from '@playwright/test'

/** The command palette, while it is open. */
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Jump to a page or action' })

/** Presses the palette's keys until it opens: the page is visible before its scripts have loaded. */
export const openPalette = (page: Page): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()

/** Waits until the console page's scripts are awake, as a user would notice: its keys do something. */
export async function awaken(page: Page): Promise<void> {
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
}
