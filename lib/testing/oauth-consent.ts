import { config } from '@/lib/base/config/env'
import type { TestBrowser } from './oauth-browser'
import { authorizeUrl, type TestApp } from './oauth-flow'

/**
 * Returns the result of an authorization request: the interaction's step, the sign-in page, an error page, or the redirect to
 * the app.
 */
export async function outcome(
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
) {
  const response = await browser.follow(authorizeUrl(app, params))
  const location = response.headers.get('location')
  if (response.status === 200) return ((await response.json()) as { kind: string }).kind
  if (location === null) return 'page'
  const to = new URL(location, config().BASE_URL)
  return to.pathname === '/login' ? 'login' : (to.searchParams.get('error') ?? 'code')
}

/** Opens the consent page. @returns the path of the page */
export async function openConsent(
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
) {
  const page = await browser.follow(authorizeUrl(app, { prompt: 'consent', ...params }))
  if (page.status !== 200) throw new Error(`no consent page: ${page.status}`)
  return new URL(page.url).pathname
}
