import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { config } from '@/lib/base/config/env'
import { badInput } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import { signInPath } from '@/lib/base/http/safe-next'
import { log } from '@/lib/base/log/log'
import { doorForAddress } from '@/lib/features/company-access/company-door'
import { sessionFromCookies } from '@/lib/features/identity/sessions/browser-session'
import { requirePassword } from '@/lib/features/identity/two-factor/require-password'
import { answerForm } from '../forms/answer-form'
import { type ExternalSignIn, externalSignInCookie } from './external-sign-in-cookie'
import { findSignInProvider } from './find-sign-in-provider'
import { limitExternalSignIn } from './limit-external-sign-in'
import { type SignInProvider, signInProviders } from './sign-in-providers'

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
export const refusedPath = (error: string, next: string): string =>
  `/login?${new URLSearchParams({ error, ...(next === '/' ? {} : { next }) })}`
