import type { Locator, Page } from '@playwright/test'

/** Unfolds a method on the security page, and confirms there who it is where that is asked. @returns its row */
export async function openMethod(page: Page, name: string, password: string): Promise<Locator> {
  const row = page.getByRole('region', { name, exact: true })
  await row.locator('summary').first().click()
  const asked = row.locator('details').first().getByLabel('Password', { exact: true })
  if (await asked.isVisible()) await asked.fill(password)
  return row
}
