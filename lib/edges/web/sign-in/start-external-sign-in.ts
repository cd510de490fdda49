import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { badInput } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/see-other'
import { log } from '@/lib/base/log/log'
import { doorForAddress } from '@/lib/features/company-access/company-door'
import { answerForm } from '../forms/answer-form'
import { externalSignInCookie } from './external-sign-in-cookie'
import { findSignInProvider } from './find-sign-in-provider'
import { limitExternalSignIn } from './limit-external-sign-in'
import type { SignInProvider } from './sign-in-providers'

/** Where a provider sends people back to; operators have registered it there. */
export const callbackUrl = (provider: string): URL =>
  new URL(`/api/auth/callback/${provider}`, config().BASE_URL)

/**
 * POST /login/with/:provider, field `next`: sends the browser to an identity provider, with a `state`, a `nonce` and a PKCE
 * verifier of its own (RFC 9700 section 2.1).
 */
export const startExternalSignIn = (request: Request, id: string): Promise<Response> =>
  answerForm(request, '/login', async ({ visitor, next }) => {
    await limitExternalSignIn(visitor.ip)
    const provider = await findSignInProvider(id)
    return provider ? leaveFor(provider, next) : seeOther('/login?error=provider')
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
    return leaveFor(provider, next, email.trim())
  })

/** @param hint the address that the provider may begin with (OpenID Connect Core section 3.1.2.1, `login_hint`) */
async function leaveFor(provider: SignInProvider, next: string, hint?: string): Promise<Response> {
  const { id } = provider
  const begun = {
    provider: id,
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next,
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
    return seeOther(refusedPath('provider', next))
  }
}

/** The sign-in page that says why (app/(auth)/search-params), with the way onward kept. */
export const refusedPath = (error: string, next: string): string =>
  `/login?${new URLSearchParams({ error, ...(next === '/' ? {} : { next }) })}`
