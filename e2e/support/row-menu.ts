import type { Page } from '@playwright/test'
import { awaken } from './palette'

/**
 * Clicks an item in the menu of a list row.
 * @param name the name in the row, such as "Night build"
 * @param action the name of the menu item
 */
export async function takeRowAction(page: Page, name: string, action: string): Promise<void> {
  // Wait for the page's scripts, because the menu is only a link to another page until the scripts have
  // loaded.
  await awaken(page)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
