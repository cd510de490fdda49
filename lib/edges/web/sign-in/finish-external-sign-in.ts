import { AuthorizationResponseError, authorizationCodeGrant } from 'openid-client'
import { faultOfClaims } from '@/lib/base/credentials/outside-claims'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import { signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { isDoor } from '@/lib/features/company-access/company-door'
import { connectIdentity } from '@/lib/features/identity/identities'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { completeSignIn } from './complete-sign-in'
import {
  clearedExternalSignInCookie,
  type ExternalSignIn,
  readExternalSignIn,
} from './external-sign-in-cookie'
import { findSignInProvider } from './find-sign-in-provider'
import { limitExternalSignIn } from './limit-external-sign-in'
import { type ConfiguredProvider, type SignInProvider, signInProviders } from './sign-in-providers'
import { callbackUrl, refusedPath } from './start-external-sign-in'

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
