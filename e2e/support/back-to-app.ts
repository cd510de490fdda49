import type { Page } from '@playwright/test'

/**
 * Clicks the button that redirects to an app, and waits for the browser's error page. The browser shows an
 * error page because no server listens at the redirect URI. Without the wait, the error page could replace
 * the page that the test opens next.
 * @returns the redirect URI with the parameters for the app
 */
export async function backToApp(page: Page, redirectUri: string, button: string): Promise<URL> {
  const left = page.waitForRequest((sent) => sent.url().startsWith(redirectUri))
  await page.getByRole('button', { name: button }).click()
  const address = new URL((await left).url())
  await page.waitForURL('chrome-error://chromewebdata/')
  return address
}
