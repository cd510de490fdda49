import { afterEach, beforeEach, vi } from 'vitest'
import { config, resetConfig } from '@/lib/base/config/env'
import { answerAuth } from '@/lib/edges/web/sign-in/answer-auth'
import { callRoute } from './next-route'
import { startOAuthServer } from './oauth-server'
import { makeOwner, signedInBrowser } from './oauth-world'

/**
 * Starts the product's server. Before each test, configures the product to use itself as the identity
 * provider `oidc`. After each test, resets the settings and restores all mocks. The product is a suitable
 * provider because it enforces strict rules for its clients.
 * @returns the provider's URL, the redirect URI at this product, and a function that changes the
 * configuration
 */
export async function startOwnProvider() {
  const provider = await startOAuthServer()
  const { makeApp } = await makeOwner()
  const callback = `${config().BASE_URL}/api/auth/callback/oidc`
  const app = await makeApp({ redirectUris: [callback] })
  const configure = (settings: Record<string, string | undefined>): void => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    resetConfig()
  }
  beforeEach(() =>
    configure({
      OIDC_ISSUER: `${provider.url}/oauth`,
      OIDC_CLIENT_ID: app.clientId,
      OIDC_CLIENT_SECRET: app.secret,
    }),
  )
  afterEach(() => {
    vi.unstubAllEnvs()
    resetConfig()
    vi.restoreAllMocks()
  })
  return { url: provider.url, callback, configure }
}

/** Returns the Cookie header with the cookies that a response sets, except for those that it deletes. */
export const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')

/**
 * Follows a redirect to the provider as a user who is signed in there, and submits the decision if the
 * consent page opens.
 * @param begun the response with the redirect
 * @returns the URL of the redirect back to the product
 */
export async function visitProvider(
  begun: Response,
  userId: string,
  decision = 'authorize',
): Promise<string> {
  const browser = await signedInBrowser(userId)
  const page = await browser.follow(begun.headers.get('location') as string)
  const { pathname } = new URL(page.url)
  if (!pathname.startsWith('/interaction/')) return page.url
  return (await browser.submit(`${pathname}/decision`, [['decision', decision]])).url
}

/** Calls the handler of /api/auth with a request. @param path the path below /api/auth, with the query */
export const requestAuth = (path: string, init: RequestInit = {}): Promise<Response> =>
  callRoute(answerAuth, new Request(`${config().BASE_URL}/api/auth/${path}`, init), {
    nextauth: path.split('?', 1)[0]?.split('/') ?? [],
  })

/** Returns a CSRF token from next-auth and its cookie. */
export async function csrfOf(): Promise<{ token: string; cookie: string }> {
  const answer = await requestAuth('csrf')
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  return { token: csrfToken, cookie: cookiesOf(answer) }
}

type Start = {
  id?: string
  csrf?: { token: string; cookie: string }
  headers?: Record<string, string>
  query?: string
}

/**
 * Submits the form of a provider's button. @returns the response, which redirects to the provider if the form
 * is accepted
 */
export async function startSignIn(next = '/', { id = 'oidc', csrf, headers, query = '' }: Start = {}) {
  const { token, cookie } = csrf ?? (await csrfOf())
  const request = new Request(`${config().BASE_URL}/api/auth/signin/${id}${query}`, {
    method: 'POST',
    headers: { origin: config().BASE_URL, cookie, ...headers },
    body: new URLSearchParams({ csrfToken: token, callbackUrl: next, next }),
  })
  return callRoute(answerAuth, request, { nextauth: ['signin', id] })
}

/**
 * Completes a sign-in: opens the URL to which the provider redirected. @param cookie the browser's Cookie
 * header
 */
export const finishSignIn = (address: string, cookie: string, headers: Record<string, string> = {}) =>
  callRoute(answerAuth, new Request(address, { headers: { cookie, ...headers } }), {
    nextauth: new URL(address).pathname.split('/').slice(3),
  })

/** Signs a user in through the provider. @param next the page to open afterwards */
export async function signInWithOwnProvider(userId: string, next?: string): Promise<Response> {
  const begun = await startSignIn(next)
  return finishSignIn(await visitProvider(begun, userId), cookiesOf(begun))
}
