import type { Locator, Page } from '@playwright/test'

/**
 * Expands a sign-in method on the current page, such as the security page, and enters the password if the
 * page requests it.
 * @returns the method's row
 */
export async function openMethod(page: Page, name: string, password: string): Promise<Locator> {
  const row = page.getByRole('region', { name, exact: true })
  await row.locator('summary').first().click()
  const asked = row.locator('details').first().getByLabel('Password', { exact: true })
  if (await asked.isVisible()) await asked.fill(password)
  return row
}
