import { AuthorizationResponseError, authorizationCodeGrant } from 'openid-client'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/see-other'
import { visitorFrom } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { isDoor } from '@/lib/features/company-access/company-door'
import { completeSignIn } from './complete-sign-in'
import {
  clearedExternalSignInCookie,
  type ExternalSignIn,
  readExternalSignIn,
} from './external-sign-in-cookie'
import { findSignInProvider } from './find-sign-in-provider'
import { limitExternalSignIn } from './limit-external-sign-in'
import type { SignInProvider } from './sign-in-providers'
import { callbackUrl, refusedPath } from './start-external-sign-in'

/**
 * GET /api/auth/callback/:provider: an identity provider's answer. It counts in the browser that the sign-in began in, once;
 * whoever it names is let in as after a password, with the second step where they owe one.
 */
export async function finishExternalSignIn(request: Request, id: string): Promise<Response> {
  const provider = await findSignInProvider(id)
  const begun = readExternalSignIn(request)
  const answer =
    provider && begun?.provider === id
      ? await admit(request, provider, begun).catch((error) => seeOther(refused(id, error, begun.next)))
      : seeOther(refusedPath('failed', '/'))
  answer.headers.append('set-cookie', clearedExternalSignInCookie())
  return answer
}

function admit(request: Request, provider: SignInProvider, begun: ExternalSignIn): Promise<Response> {
  const visitor = visitorFrom(request.headers)
  const person = limitExternalSignIn(visitor.ip).then(() => askProvider(request, provider, begun))
  return completeSignIn({ request, visitor, next: begun.next }, 'provider', person)
}

/** Redeems the provider's answer, and finds or makes the person whom it names. */
async function askProvider(request: Request, provider: SignInProvider, begun: ExternalSignIn) {
  const client = await provider.configure()
  const url = callbackUrl(provider.id)
  url.search = new URL(request.url).search
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: begun.state,
    pkceCodeVerifier: begun.verifier,
    ...(provider.openid ? { expectedNonce: begun.nonce, idTokenExpected: true } : {}),
  })
  const { userId } = await provider.letIn(client, tokens)
  return { userId, methods: ['ext' as const], by: provider.id }
}

/** The page that says what came in between. */
function refused(id: string, error: unknown, next: string): string {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return refusedPath('too_many', next)
  if (isAppError(error)) {
    const reason = error.code === 'CONFLICT' ? 'account_exists' : isDoor(id) ? 'company' : 'refused'
    log.info('a sign-in was refused', { method: id, reason })
    return refusedPath(reason, next)
  }
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return refusedPath('denied', next)
  log.warn('a sign-in through a provider failed', { name: id, error })
  return refusedPath('failed', next)
}
