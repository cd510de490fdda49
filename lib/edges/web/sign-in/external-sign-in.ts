import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { faultOfClaims } from '@/lib/base/credentials/outside-claims'
import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { badInput, isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import { signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { doorForAddress, isDoor } from '@/lib/features/company-access/company-door'
import { connectIdentity } from '@/lib/features/identity/identities'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { requirePassword } from '@/lib/features/identity/two-factor/require-password'
import { answerForm } from '../forms/answer-form'
import { completeSignIn } from './complete-sign-in'
import { findSignInProvider } from './find-sign-in-provider'
import { type ConfiguredProvider, type SignInProvider, signInProviders } from './sign-in-providers'

/** A sign-in that has left for an identity provider: what ties the answer to this browser, and where to go afterwards. */
export type ExternalSignIn = {
  provider: string
  state: string
  nonce: string
  /** PKCE's (RFC 7636 section 4.1). */
  verifier: string
  next: string
  /** The browser session whose person connects the account there, instead of signing in by it. */
  connects?: string
}

const name = () => secureCookieName('lk-external-sign-in')
const seconds = 15 * 60
const path = '/api/auth/callback'

/** The Set-Cookie value that keeps it in the browser, sealed. */
export function externalSignInCookie(begun: ExternalSignIn): string {
  const sealed = sealToken(
    JSON.stringify({ ...begun, until: databaseNow() + seconds * 1000 }),
    'external-sign-in',
  )
  return setCookie(name(), sealed, path, seconds)
}

/** The Set-Cookie value that takes it back: each is good for one answer. */
const clearedExternalSignInCookie = (): string => setCookie(name(), '', path, 0)

/** The sign-in that a request's cookies carry; undefined when there is none, it was not made here, or it is over. */
function readExternalSignIn(request: Request): ExternalSignIn | undefined {
  const value = cookieValue(request.headers.get('cookie') ?? undefined, name())
  const opened = value && openToken(value, 'external-sign-in')
  if (!opened) return undefined
  const { until, ...begun } = JSON.parse(opened) as ExternalSignIn & { until?: number }
  // A browser forgets a cookie by itself; whoever has a copy of one does not.
  return Number(until) > databaseNow() ? begun : undefined
}

const perAddress: AttemptLimit = {
  name: 'provider-address',
  points: 60,
  seconds: 60,
  message: 'Too many sign-in attempts from your address. Wait a moment, then try again.',
}

/**
 * Bounds how often one address has us ask an identity provider, which may shut us out: a sign-in counts when it begins, and
 * when it comes back.
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
async function limitExternalSignIn(ip: string | undefined): Promise<void> {
  if (ip) await countAttempt(perAddress, ip)
}

/** Where a provider sends people back to; operators have registered it there. */
const callbackUrl = (provider: string): URL => new URL(`/api/auth/callback/${provider}`, config().BASE_URL)

/**
 * POST /login/with/:provider, field `next`: sends the browser to an identity provider, with a `state`, a `nonce` and a PKCE
 * verifier of its own (RFC 9700 section 2.1).
 */
export const startExternalSignIn = (request: Request, id: string): Promise<Response> =>
  answerForm(request, '/login', async ({ visitor, next }) => {
    await limitExternalSignIn(visitor.ip)
    const provider = await findSignInProvider(id)
    const answer = provider && (await leaveFor(provider, { next }))
    return answer ?? seeOther(refusedPath('provider', next))
  })

/**
 * POST /login/company/submit, fields `email` and `next`: the same through the provider of the company whose domain the address is in.
 */
export const startCompanySignIn = (request: Request): Promise<Response> =>
  answerForm(request, '/login/company', async ({ visitor, next, input: { email = '' } }) => {
    await limitExternalSignIn(visitor.ip)
    const door = await doorForAddress(email)
    const provider = door && (await findSignInProvider(door.id))
    if (!provider) throw badInput('email', 'No company signs in here with addresses of this domain.')
    const answer = await leaveFor(provider, { next }, email.trim())
    return answer ?? seeOther(refusedPath('provider', next))
  })

/** Where accounts at providers are connected and removed. */
const ownPage = '/account/security'

/**
 * POST /login/connect/submit, fields `provider` and `password`: the same for somebody who is signed in and connects the account there
 * with theirs, which takes the password first. The answer counts for this very session.
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

/**
 * The way to a provider, and what is kept of it.
 * @param hint the address that the provider may begin with (OpenID Connect Core section 3.1.2.1, `login_hint`)
 * @returns undefined where it cannot be reached
 */
async function leaveFor(
  provider: SignInProvider,
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
    log.warn('a sign-in through a provider could not begin', { name: id, error })
    return undefined
  }
}

/** The sign-in page that says why (app/(auth)/search-params), with the way onward kept. */
const refusedPath = (error: string, next: string): string =>
  `/login?${new URLSearchParams({ error, ...(next === '/' ? {} : { next }) })}`

/**
 * GET /api/auth/callback/:provider: an identity provider's answer. It counts in the browser that the sign-in began in, once;
 * whoever it names is let in as after a password, with the second step where they owe one.
 */
export async function finishExternalSignIn(request: Request, id: string): Promise<Response> {
  const begun = readExternalSignIn(request)
  const work = begun?.provider === id ? await finish(request, id, begun) : undefined
  const answer = work ?? seeOther(refusedPath('failed', '/'))
  answer.headers.append('set-cookie', clearedExternalSignInCookie())
  return answer
}

/** @returns undefined where there is no such provider */
async function finish(request: Request, id: string, begun: ExternalSignIn): Promise<Response | undefined> {
  const refuse = (error: unknown) => seeOther(refused(id, error, begun))
  if (begun.connects) {
    const provider = signInProviders().find((one) => one.id === id)
    return provider && connect(request, provider, begun).catch(refuse)
  }
  const provider = await findSignInProvider(id)
  return provider && admit(request, provider, begun).catch(refuse)
}

function admit(request: Request, provider: SignInProvider, begun: ExternalSignIn): Promise<Response> {
  const visitor = visitorFrom(request.headers)
  const person = limitExternalSignIn(visitor.ip).then(() => askProvider(request, provider, begun))
  return completeSignIn({ request, visitor, next: begun.next }, 'provider', person)
}

/**
 * Connects the account there with the person who began it, where they are signed in still, in the same session: what comes back to
 * another's, or after a sign-out, connects nothing.
 */
async function connect(request: Request, provider: ConfiguredProvider, begun: ExternalSignIn) {
  const visitor = visitorFrom(request.headers)
  const session = await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor)
  if (!session || session.actor.sessionId !== begun.connects) return seeOther(signInPath(begun.next))
  await limitExternalSignIn(visitor.ip)
  const { subject } = await provider.readPerson(...(await redeem(request, provider, begun)))
  await connectIdentity(session.actor, { provider: provider.id, subject })
  return seeOther(begun.next)
}

/** Redeems the provider's answer, and finds or makes the person whom it names. */
async function askProvider(request: Request, provider: SignInProvider, begun: ExternalSignIn) {
  const person = await provider.letIn(...(await redeem(request, provider, begun)))
  return { ...person, methods: ['ext' as const] }
}

/**
 * Redeems the provider's response for tokens, and checks the claims of the ID token.
 * @returns the provider's configuration and the tokens
 * @throws Error if the response or the ID token is not valid
 */
async function redeem(request: Request, provider: SignInProvider, begun: ExternalSignIn) {
  const client = await provider.configure()
  const url = callbackUrl(provider.id)
  url.search = new URL(request.url).search
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: begun.state,
    pkceCodeVerifier: begun.verifier,
    ...(provider.openid ? { expectedNonce: begun.nonce, idTokenExpected: true } : {}),
  })
  if (provider.openid) {
    // The library accepts an empty `sub` and an `iat` at any time in the future.
    const fault = faultOfClaims({ ...tokens.claims() }, databaseNow(), client.clientMetadata().client_id)
    if (fault) throw new Error(`The provider's ID token is not valid: ${fault}.`)
  }
  return [client, tokens] as const
}

/** The page that says what came in between. */
function refused(id: string, error: unknown, { next, connects }: ExternalSignIn): string {
  if (connects) {
    const reason =
      isAppError(error) && error.code === 'CONFLICT' ? 'connected_elsewhere' : reasonOf(id, error)
    return `/login/connect?${new URLSearchParams({ provider: id, error: reason })}`
  }
  return refusedPath(reasonOf(id, error), next)
}

function reasonOf(id: string, error: unknown): string {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return 'too_many'
  if (isAppError(error)) {
    const reason = error.code === 'CONFLICT' ? 'account_exists' : isDoor(id) ? 'company' : 'refused'
    log.info('a sign-in was refused', { method: id, reason })
    return reason
  }
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return 'denied'
  log.warn('a sign-in through a provider failed', { name: id, error })
  return 'failed'
}
