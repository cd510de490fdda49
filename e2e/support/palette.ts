import { expect, type Locator, type Page } from '@playwright/test'

/** Returns the locator of the open command palette. */
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Jump to a page or action' })

/**
 * Presses Ctrl+K until the command palette opens, because the keys have no effect before the page's scripts
 * have loaded.
 */
export const openPalette = (page: Page): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()

/**
 * Waits until the scripts of a console page respond to keys, by opening the command palette and closing it
 * again.
 */
export async function awaken(page: Page): Promise<void> {
  await openPalette(page)
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
}
