import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { safeNext } from '@/lib/base/http/safe-next'
import { seeOther } from '@/lib/base/http/see-other'
import { takeForm } from '@/lib/base/http/take-form'
import { log } from '@/lib/base/log/log'
import { externalSignInCookie } from './external-sign-in-cookie'
import { signInProviders } from './sign-in-providers'

/** Where a provider sends people back to; operators have registered it there. */
export const callbackUrl = (provider: string): URL =>
  new URL(`/api/auth/callback/${provider}`, config().BASE_URL)

/**
 * POST /login/with/:provider, field `next`: sends the browser to an identity provider, with a `state`, a `nonce` and a PKCE
 * verifier of its own (RFC 9700 section 2.1).
 */
export async function startExternalSignIn(request: Request, id: string): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  const provider = signInProviders().find((one) => one.id === id)
  if (!provider) return seeOther('/login?error=provider')
  const begun = {
    provider: id,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next: safeNext(form.next),
  }
  try {
    const url = buildAuthorizationUrl(await provider.configure(), {
      redirect_uri: callbackUrl(id).href,
      scope: provider.scope,
      state: begun.state,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...(provider.openid ? { nonce: begun.nonce } : {}),
    })
    return seeOther(url.href, [externalSignInCookie(begun)])
  } catch (error) {
    log.warn('a sign-in through a provider could not begin', { name: id, error })
    return seeOther(refusedPath('provider', begun.next))
  }
}

/** The sign-in page that says why (app/(auth)/search-params), with the way onward kept. */
export const refusedPath = (error: string, next: string): string =>
  `/login?${new URLSearchParams({ error, ...(next === '/' ? {} : { next }) })}`
