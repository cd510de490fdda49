import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { claimFault } from '@/lib/base/credentials/outside-claims'
import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { badInput, isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import { signInPath } from '@/lib/base/http/safe-next'
import { cookieName, setCookie, visitorFrom } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { connectIdentity } from '@/lib/features/identity/identities'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { requirePassword } from '@/lib/features/identity/two-factor/require-password'
import { readIssuer } from '@/lib/features/sso/read-issuer'
import { signInWithSso } from '@/lib/features/sso/sign-in-with-sso'
import {
  findConnection,
  findConnectionForEmail,
  isSsoProviderId,
  type SsoConnection,
} from '@/lib/features/sso/sso-connection'
import { answerForm } from '../forms/answer-form'
import { completeSignIn } from './complete-sign-in'
import { basic, type SignInProvider, signInProviders, timeout } from './sign-in-providers'

/**
 * A sign-in at an identity provider, for which this module is used instead of next-auth. It either signs a
 * user in through a workspace's SSO connection, or connects an account at a configured provider to the
 * signed-in user. Both cases use openid-client. See ADR 0026.
 */
type ExternalSignIn = {
  provider: string
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636 section 4.1). */
  verifier: string
  next: string
  /** The ID of the session in which the user connects the provider's account. Undefined for a sign-in. */
  connects?: string
}

const name = () => cookieName('external-sign-in')
const seconds = 15 * 60

/**
 * Returns the Set-Cookie value that stores the encrypted sign-in in the browser for 15 minutes. The cookie is
 * for all paths, so that another host of the same domain cannot set it and sign the user in as someone else.
 */
export function externalSignInCookie(begun: ExternalSignIn): string {
  const sealed = sealToken(
    JSON.stringify({ ...begun, until: databaseNow() + seconds * 1000 }),
    'external-sign-in',
  )
  return setCookie(name(), sealed, '/', seconds)
}

/** Returns the Set-Cookie value that deletes the stored sign-in. */
const clearedExternalSignInCookie = (): string => setCookie(name(), '', '/', 0)

/**
 * Returns the sign-in from a request's cookie, or undefined if the cookie is missing, has expired, or was not
 * created by this instance.
 */
function readExternalSignIn(request: Request): ExternalSignIn | undefined {
  const value = cookieValue(request.headers.get('cookie') ?? undefined, name())
  const opened = value && openToken(value, 'external-sign-in')
  if (!opened) return undefined
  const { until, ...begun } = JSON.parse(opened) as ExternalSignIn & { until?: number }
  // Check the expiry here too: browsers delete an expired cookie, but someone could have kept a copy of the
  // cookie.
  return Number(until) > databaseNow() ? begun : undefined
}

const perAddress: AttemptLimit = {
  name: 'provider-address',
  points: 60,
  seconds: 60,
  message: 'Too many sign-in attempts from your IP address. Wait a moment, then try again.',
}

/**
 * Limits how often one IP address can trigger requests to an identity provider, because the provider might
 * otherwise block this server. Each sign-in is counted twice: when it starts, and when the provider redirects
 * back. Does nothing if the IP address is unknown.
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function limitExternalSignIn(ip: string | undefined): Promise<void> {
  if (ip) await countAttempt(perAddress, ip)
}

/**
 * Returns the URL to which a provider redirects users. Admins register this URL at the provider. next-auth
 * uses the same URL.
 */
const callbackUrl = (provider: string): URL => new URL(`/api/auth/callback/${provider}`, config().BASE_URL)

/**
 * Handles POST /login/sso/submit, with the fields `email` and `next`: redirects to the identity provider of
 * the workspace whose SSO connection has verified the email domain. If there is no such workspace, the form
 * shows an error. If the provider cannot be reached, redirects to the sign-in page instead.
 */
export const startSsoSignIn = (request: Request): Promise<Response> =>
  answerForm(request, '/login/sso', async ({ visitor, next, input: { email = '' } }) => {
    await limitExternalSignIn(visitor.ip)
    const connection = await findConnectionForEmail(email)
    if (!connection)
      throw badInput(
        'email',
        'No organization uses single sign-on with this email domain. Check the address, or sign in another way.',
      )
    const answer = await leaveFor(ssoProvider(connection), { next }, email.trim())
    return answer ?? seeOther(refusedPath('provider', next))
  })

/** The path of the page where users connect and disconnect their accounts at providers. */
const ownPage = '/account/security'

/**
 * Handles POST /login/connect/submit, with the fields `provider` and `password`: redirects to a configured
 * provider, so that the user can connect an account at the provider. Requires a session and the user's
 * password (see `requirePassword`). Only the browser session that started the connection can finish it. If
 * the provider is not configured or cannot be reached, redirects back to the form with an error.
 */
export const startConnecting = (request: Request): Promise<Response> =>
  answerForm(
    request,
    '/login/connect',
    async ({ visitor, input: { provider: id = '', password = '' } }) => {
      const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
      if (!session) return seeOther(signInPath(ownPage))
      await limitExternalSignIn(visitor.ip)
      await requirePassword(session.actor, password)
      const provider = signInProviders().find((one) => one.id === id)
      const connects = session.actor.sessionId
      const answer = provider && (await leaveFor(provider, { next: ownPage, connects }))
      return answer ?? seeOther(`/login/connect?${new URLSearchParams({ provider: id, error: 'provider' })}`)
    },
    ['provider'],
  )

type Remote = Pick<SignInProvider, 'scope' | 'openid' | 'configure'> & { id: string }

/**
 * Returns a redirect to a provider, with a cookie that stores the values that the provider's response must
 * match (RFC 9700 section 2.1).
 * @param hint the email address that the provider can prefill (OpenID Connect Core section 3.1.2.1,
 * `login_hint`)
 * @returns undefined, after logging the error, if the provider cannot be reached or its metadata is invalid
 */
async function leaveFor(
  provider: Remote,
  then: Pick<ExternalSignIn, 'next' | 'connects'>,
  hint?: string,
): Promise<Response | undefined> {
  const { id } = provider
  const begun: ExternalSignIn = {
    provider: id,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    ...then,
  }
  try {
    const url = buildAuthorizationUrl(await provider.configure(), {
      redirect_uri: callbackUrl(id).href,
      scope: provider.scope,
      state: begun.state,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...(provider.openid ? { nonce: begun.nonce } : {}),
      ...(hint ? { login_hint: hint } : {}),
    })
    return seeOther(url.href, [externalSignInCookie(begun)])
  } catch (error) {
    log.warn('could not start a sign-in through a provider', { name: id, error })
    return undefined
  }
}

/**
 * Returns the sign-in page's path with the reason for the error (app/auth-pages/auth-page.ts) as the
 * parameter `error`, and the page to open after the sign-in as the parameter `next`. `next` is omitted if it
 * is `/`.
 */
export const refusedPath = (error: string, next: string): string =>
  `/login?${new URLSearchParams({ error, ...(next === '/' ? {} : { next }) })}`

/**
 * Returns whether this module must handle a provider's response. The module handles responses from SSO
 * connections, and responses to this browser's request to connect an account. If the browser also started a
 * sign-in with next-auth, the `state` parameter determines which of the two requests the response belongs to.
 * @param nextAuthBegan whether the browser started a sign-in with next-auth
 */
export function isExternalCallback(request: Request, id: string, nextAuthBegan: boolean): boolean {
  if (isSsoProviderId(id)) return true
  const begun = readExternalSignIn(request)
  if (begun?.provider !== id || begun.connects === undefined) return false
  return !nextAuthBegan || begun.state === new URL(request.url).searchParams.get('state')
}

/**
 * Handles GET /api/auth/callback/:provider for sign-ins that this module started. The provider's response is
 * accepted only in the browser that started the sign-in. In any case, the stored sign-in is deleted, because
 * it is valid for only one response. If the sign-in fails, redirects to a page that shows the reason.
 */
export async function finishExternalSignIn(request: Request, id: string): Promise<Response> {
  const begun = readExternalSignIn(request)
  const work = begun?.provider === id ? await finish(request, id, begun) : undefined
  const answer = work ?? seeOther(refusedPath('failed', '/'))
  answer.headers.append('set-cookie', clearedExternalSignInCookie())
  return answer
}

/**
 * Signs the user in, or connects the account, depending on what the user started.
 * @returns a redirect, even after an error, or undefined if there is no such provider or SSO connection
 */
async function finish(request: Request, id: string, begun: ExternalSignIn): Promise<Response | undefined> {
  const refuse = (error: unknown) => seeOther(refused(id, error, begun))
  if (begun.connects) {
    const provider = signInProviders().find((one) => one.id === id)
    return provider && connect(request, provider, begun).catch(refuse)
  }
  const connection = await findConnection(id)
  return connection && admit(request, connection, begun).catch(refuse)
}

function admit(request: Request, connection: SsoConnection, begun: ExternalSignIn): Promise<Response> {
  const visitor = visitorFrom(request.headers)
  const user = limitExternalSignIn(visitor.ip).then(() => findUser(request, connection, begun))
  return completeSignIn({ request, visitor, next: begun.next }, 'provider', user)
}

/**
 * Redeems the provider's response, and finds or creates the user whom the ID token identifies.
 * @throws the errors of `redeem` and `signInWithSso`
 */
async function findUser(request: Request, connection: SsoConnection, begun: ExternalSignIn) {
  const claims = (await redeem(request, ssoProvider(connection), begun)).claims()
  if (!claims) throw new Error('The provider returned no ID token.')
  const { sub, tenant, tid, hd, email_verified: emailVerified } = claims
  const user = await signInWithSso(connection, {
    sub,
    tenant,
    tid,
    hd,
    email: text(claims.email),
    emailVerified,
    name: text(claims.name),
    avatarUrl: text(claims.picture),
  })
  return { ...user, methods: ['ext' as const] }
}

/**
 * Connects the provider's account to the user who started the connection, if the browser is still signed in
 * with the same session. Otherwise, only redirects to the sign-in page.
 * @throws the errors of `limitExternalSignIn`, `redeem`, `readSubject`, and `connectIdentity`
 */
async function connect(request: Request, provider: SignInProvider, begun: ExternalSignIn) {
  const visitor = visitorFrom(request.headers)
  const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  if (!session || session.actor.sessionId !== begun.connects) return seeOther(signInPath(begun.next))
  await limitExternalSignIn(visitor.ip)
  const subject = await provider.readSubject(await redeem(request, provider, begun))
  await connectIdentity(session.actor, { provider: provider.id, subject })
  return seeOther(begun.next)
}

/**
 * Redeems the provider's response for tokens. Checks the claims of the ID token, if the provider supports
 * OpenID Connect.
 * @throws Error if the provider cannot be reached, or if the response or the ID token is not valid
 */
async function redeem(request: Request, provider: Remote, begun: ExternalSignIn) {
  const client = await provider.configure()
  const url = callbackUrl(provider.id)
  url.search = new URL(request.url).search
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: begun.state,
    pkceCodeVerifier: begun.verifier,
    ...(provider.openid ? { expectedNonce: begun.nonce, idTokenExpected: true } : {}),
  })
  if (provider.openid) {
    // The library does not check all claims, so check them here. For example, it accepts an empty `sub` and
    // any `iat` in the future.
    const fault = claimFault({ ...tokens.claims() }, databaseNow(), client.clientMetadata().client_id)
    if (fault) throw new Error(`The provider's ID token is not valid: ${fault}.`)
  }
  return tokens
}

/** Returns the path of the page that shows why the sign-in or the connection of the account failed. */
function refused(id: string, error: unknown, { next, connects }: ExternalSignIn): string {
  if (connects) {
    const reason =
      isAppError(error) && error.code === 'CONFLICT' ? 'connected_elsewhere' : reasonOf(id, error)
    return `/login/connect?${new URLSearchParams({ provider: id, error: reason })}`
  }
  return refusedPath(reasonOf(id, error), next)
}

/**
 * Returns the reason why a sign-in through a provider failed, for the `error` parameter of the page that
 * shows it. Logs the failure, unless the user canceled or an attempt was rate-limited.
 */
export function reasonOf(id: string, error: unknown): string {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return 'too_many'
  if (isAppError(error)) {
    const reason =
      error.code === 'CONFLICT'
        ? 'account_exists'
        : isSsoProviderId(id)
          ? 'sso'
          : (error.details.reason ?? 'failed')
    log.info('a sign-in was refused', { method: id, reason })
    return reason
  }
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return 'denied'
  log.warn('a sign-in through a provider failed', { name: id, error })
  return 'failed'
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Returns an SSO connection's provider. A workspace admin entered the provider's URL, so every request to the
 * provider goes through the outbound guard.
 */
const ssoProvider = (connection: SsoConnection): Remote => ({
  id: connection.id,
  scope: 'openid email profile',
  openid: true,
  configure: () => configureSso(connection),
})

async function configureSso({ issuer, clientId, secret }: SsoConnection): Promise<Configuration> {
  const { algs, authMethods } = await readIssuer(issuer)
  // Prefer RS256, which every OpenID provider must support (OpenID Connect Core section 15.1). Some providers
  // support only stronger algorithms. For these providers, use the first stronger algorithm in their
  // metadata.
  const alg = algs.includes('RS256') ? 'RS256' : algs.find((each) => /^(PS|ES|Ed)/.test(each))
  const metadata = { client_secret: secret, id_token_signed_response_alg: alg ?? 'RS256' }
  const authentication =
    secret === undefined
      ? None()
      : authMethods.length > 0 && !authMethods.includes('client_secret_basic')
        ? ClientSecretPost(secret)
        : basic(secret)
  return discovery(new URL(issuer), clientId, metadata, authentication, {
    timeout,
    execute: [enableNonRepudiationChecks],
    [customFetch]: guarded,
  })
}

/**
 * Sends a request from openid-client through the outbound guard, with the guard's default limits on size and
 * time. The returned response has no headers except Content-Type.
 */
const guarded = async (
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> => {
  const answer = await guardedFetch(url, {
    purpose: 'identity-provider',
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body === undefined || body === null ? {} : { body: String(body) }),
  })
  const type = answer.headers['content-type']
  return new Response(new Uint8Array(answer.body), {
    status: answer.status,
    headers: type === undefined ? {} : { 'content-type': String(type) },
  })
}
