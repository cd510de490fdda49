import type { Page } from '@playwright/test'
import { awaken } from './palette'

/**
 * Takes an action in the menu of a list row.
 * @param name the name in the row: "Night build"
 * @param action the name of the menu item
 */
export async function takeRowAction(page: Page, name: string, action: string): Promise<void> {
  // Before the page's scripts respond, the menu is a link to another page.
  await awaken(page)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
