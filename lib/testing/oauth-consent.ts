import { config } from '@/lib/base/config/env'
import type { TestBrowser } from './oauth-browser'
import { authorizeUrl, type TestApp } from './oauth-flow'

/**
 * Sends an authorization request and returns its result: the kind of the interaction's step, `login` for the
 * sign-in page, `page` for an error page, or, after a redirect to the app, the error code or `code`.
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

/** Opens the consent page. @returns the path of the page @throws Error if the last response is not a page */
export async function openConsent(
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
) {
  const page = await browser.follow(authorizeUrl(app, { prompt: 'consent', ...params }))
  if (page.status !== 200) throw new Error(`no consent page: ${page.status}`)
  return new URL(page.url).pathname
}

/**
 * Submits the user's authorization on the consent page. @param selection the selected workspaces and projects
 */
export const submitConsent = (browser: TestBrowser, page: string, ...selection: [string, string][]) =>
  browser.submit(`${page}/decision`, [['decision', 'authorize'], ...selection])
