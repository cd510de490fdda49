import { expect, type Page } from '@playwright/test'

/** Follows the link of the newest mail to an address, as the demo's mailbox shows it. */
export async function followMail(page: Page, email: string, path: string): Promise<void> {
  const link = page.getByRole('link', { name: path }).first()
  await expect(async () => {
    await page.goto(`/dev/mailbox?to=${encodeURIComponent(email)}`)
    await expect(link).toBeVisible({ timeout: 500 })
  }).toPass()
  await link.click()
}
