import { expect, type Page } from '@playwright/test'

/**
 * Opens the demo mailbox with the emails to an email address, reloads it until an email contains a link to a
 * path, and follows the newest of these links.
 */
export async function followMail(page: Page, email: string, path: string): Promise<void> {
  const link = page.getByRole('link', { name: path }).first()
  await expect(async () => {
    await page.goto(`/dev/mailbox?to=${encodeURIComponent(email)}`)
    await expect(link).toBeVisible({ timeout: 500 })
  }).toPass()
  await link.click()
}
