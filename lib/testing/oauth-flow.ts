import { createHash, randomBytes } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import type { TestBrowser } from './oauth-browser'

export type TestApp = { clientId: string; secret?: string | undefined; redirectUri: string }

export const newVerifier = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Returns a PKCE verifier, and the parameters of an authorization request with its challenge. */
export function newPkce() {
  const verifier = newVerifier()
  return { verifier, pkce: { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } }
}

/** Returns the URL of an authorization request. Omits parameters that are undefined. */
export function authorizeUrl(app: TestApp, params: Record<string, string | undefined> = {}): string {
  const url = new URL('/oauth/auth', config().BASE_URL)
  const all = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state',
    ...params,
  }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Returns the URL of an authorization request that the app has pushed (RFC 9126). */
export const pushedUrl = (app: TestApp, requestUri: string) =>
  `${config().BASE_URL}/oauth/auth?${new URLSearchParams({ client_id: app.clientId, request_uri: requestUri })}`

/** Returns the code in a redirect to the app. */
export const codeFrom = (response: Response) =>
  new URL(String(response.headers.get('location'))).searchParams.get('code')

export type Approval = { workspaces?: string[]; projects?: string[]; decision?: string }

/**
 * Sends an authorization request, and submits the decision if the consent page opens.
 * @returns the parameters of the redirect to the app
 * @throws Error if the last response is not a redirect
 */
export async function authorize(
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
  approval: Approval = {},
): Promise<URLSearchParams> {
  let response = await browser.follow(authorizeUrl(app, params))
  const page = new URL(response.url).pathname
  if (response.status === 200 && page.startsWith('/interaction/')) {
    response = await browser.submit(`${page}/decision`, [
      ['decision', approval.decision ?? 'authorize'],
      ...(approval.workspaces ?? []).map((id): [string, string] => ['workspace', id]),
      ...(approval.projects ?? []).map((id): [string, string] => ['project', id]),
    ])
  }
  const location = response.headers.get('location')
  if (!location) throw new Error(`no redirect: ${response.status} ${await response.text()}`)
  return new URL(location).searchParams
}

/** Returns the parameters of a token request that redeems a code. */
export const codeGrant = (app: TestApp, code: string | null | undefined) => ({
  grant_type: 'authorization_code',
  code: String(code),
  redirect_uri: app.redirectUri,
})

/** Sends a form to POST /oauth/token. If the app has a secret, the form contains it. */
export async function requestToken(
  app: TestApp,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, string>; headers: Headers }> {
  const response = await fetch(new URL('/oauth/token', config().BASE_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({
      client_id: app.clientId,
      ...(app.secret ? { client_secret: app.secret } : {}),
      ...fields,
    }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, string>,
    headers: response.headers,
  }
}

/**
 * Sends an authorization request with PKCE.
 * @returns the parameters of the token request that redeems the code
 * @throws Error if the app does not receive a code
 */
export async function authorizeWithPkce(
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
  approval: Approval = {},
) {
  const { verifier, pkce } = newPkce()
  const answer = await authorize(browser, app, { ...pkce, ...params }, approval)
  const code = answer.get('code')
  if (!code) throw new Error(`no code: ${answer}`)
  return { ...codeGrant(app, code), code_verifier: verifier }
}

/**
 * Runs the whole authorization code flow with PKCE.
 * @returns the token response
 * @throws Error if the app does not receive a code
 */
export const signInToApp = async (
  browser: TestBrowser,
  app: TestApp,
  params: Record<string, string | undefined> = {},
  approval: Approval = {},
) => requestToken(app, await authorizeWithPkce(browser, app, params, approval))

export const offline = { scope: 'openid offline_access', prompt: 'consent' }

export const refresh = (app: TestApp, refreshToken: string, more: Record<string, string> = {}) =>
  requestToken(app, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more })

export async function userinfo(accessToken: string) {
  const response = await fetch(new URL('/oauth/me', config().BASE_URL), {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
