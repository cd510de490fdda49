import type { Page } from '@playwright/test'

/**
 * Clicks what sends the browser to an app's redirect URI at which nobody listens, and waits until the browser has given up on
 * it: led on before, it would still fall back into its own page of errors.
 * @returns the address, with what the app is told
 */
export async function backToApp(page: Page, redirectUri: string, button: string): Promise<URL> {
  const left = page.waitForRequest((sent) => sent.url().startsWith(redirectUri))
  await page.getByRole('button', { name: button }).click()
  const address = new URL((await left).url())
  await page.waitForURL('chrome-error://chromewebdata/')
  return address
}
