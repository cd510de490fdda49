import { NextRequest } from 'next/server'
import type { AuthOptions } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { config } from '@/lib/base/config/env'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther } from '@/lib/base/http/answers'
import { safeNext, signInPath } from '@/lib/base/http/safe-next'
import { setCookie, type Visitor, visitorFrom } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import { sessionFromCookies, signInFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'
import { signInExternal } from '@/lib/features/identity/users/sign-in-external'
import { answerForm } from '../forms/answer-form'
import { authOptions, callbackUrlCookieName, checkCookieNames, nextAuth } from './auth-options'
import { admitUser, countFailure, type SignInResult } from './complete-sign-in'
import {
  finishExternalSignIn,
  isExternalCallback,
  limitExternalSignIn,
  reasonOf,
  refusedPath,
} from './external-sign-in'
import { type ProviderProfile, signInProviders } from './sign-in-providers'

/** The parameters of a route below /api/auth/. */
type Context = { params: Promise<{ nextauth: string[] }> }

/**
 * The next-auth actions that this server offers, by method. The list omits next-auth's sign-out page. It also
 * omits `_log`, which writes to the log any text that a client sends.
 */
const actions: Record<string, string[]> = {
  GET: ['csrf', 'providers', 'session', 'signin', 'callback', 'error'],
  POST: ['signin', 'signout'],
}

type Call = { request: NextRequest; context: Context; visitor: Visitor; next: string }

/**
 * Handles /api/auth/*. next-auth signs users in through GitHub, Google, and the configured issuer. As for
 * sign-ins with a password, `admitUser` decides whether a user gets a session. external-sign-in.ts handles
 * the callbacks of the sign-ins that it started. See ADR 0026.
 */
export async function answerAuth(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params
  const [action = '', id = ''] = nextauth
  if (!actions[request.method === 'POST' ? 'POST' : 'GET']?.includes(action) || nextauth.length > 2) {
    return new Response('Not found.\n', { status: 404 })
  }
  if (request.method === 'POST') {
    return answerForm(request.clone(), '/login', async ({ visitor, next, input }) => {
      const call = { request, context, visitor, next }
      if (action === 'signin') await limitExternalSignIn(visitor.ip)
      // Reject a request whose form has no CSRF token, because next-auth would also parse a body that is not
      // a form. Reject a request with a query, because next-auth would add the query to its request to the
      // provider.
      if (!input.csrfToken || request.nextUrl.search) return seeOther(refusedPath('failed', next))
      return action === 'signin' ? throughProvider(id, 'provider', call) : run(call)
    })
  }
  const visitor = visitorFrom(request.headers)
  const call = { request: withoutCallbackUrl(request), context, visitor, next: nextOf(request, action) }
  // Without a session, do not call next-auth: it would delete the cookie, even if the user only has to set up
  // two-factor authentication.
  if (
    action === 'session' &&
    !(await sessionFromCookies(request.headers.get('cookie') ?? undefined, visitor))
  ) {
    return Response.json({}, { headers: { 'cache-control': 'private, no-store' } })
  }
  if (action !== 'callback') return run(call)
  const began = checkCookieNames().some((name) => request.cookies.has(name))
  if (isExternalCallback(request, id, began)) return finishExternalSignIn(request, id)
  const answer = await finish(id, call)
  // Delete the cookies that bind the response to this browser, because each is valid for only one response,
  // even if next-auth rejects that response.
  for (const name of checkCookieNames()) answer.headers.append('set-cookie', setCookie(name, '', '/', 0))
  return answer
}

/**
 * Returns the request without the `callbackUrl` parameter, because next-auth returns 500 if the parameter's
 * value is not a URL. `nextOf` reads the parameter from the original request.
 */
function withoutCallbackUrl(request: NextRequest): NextRequest {
  if (!request.nextUrl.searchParams.has('callbackUrl')) return request
  const url = new URL(request.url)
  url.searchParams.delete('callbackUrl')
  return new NextRequest(url, { headers: request.headers })
}

/**
 * Returns the path of the page to open after the sign-in, or `/` if the page is not on this instance. The
 * page is in the `callbackUrl` parameter, or else in next-auth's cookie. At a callback, only the cookie
 * counts.
 */
function nextOf(request: NextRequest, action: string): string {
  const { BASE_URL } = config()
  const kept = cookieValue(request.headers.get('cookie') ?? undefined, callbackUrlCookieName()) ?? ''
  const asked = action === 'callback' ? null : request.nextUrl.searchParams.get('callbackUrl')
  const url = asked ?? decode(kept)
  return safeNext(url.startsWith(`${BASE_URL}/`) ? url.slice(BASE_URL.length) : url)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

async function finish(id: string, call: Call): Promise<Response> {
  try {
    await limitExternalSignIn(call.visitor.ip)
  } catch (error) {
    if (!isAppError(error)) throw error
    countFailure('provider', 'limited')
    return seeOther(refusedPath(reasonOf(id, error), call.next))
  }
  const error = call.request.nextUrl.searchParams.get('error')
  return error === null ? throughProvider(id, 'failed', call) : refusedByProvider(id, error, call)
}

/**
 * Handles a provider's error response (RFC 6749 section 4.1.2.1): counts the failure and redirects to the
 * sign-in page. next-auth does not handle this response, because it would log the provider's text. Logs only
 * the provider and the error code, and logs nothing if the user denied access.
 */
function refusedByProvider(id: string, error: string, { next }: Call): Response {
  const denied = error === 'access_denied'
  countFailure('provider', denied ? 'refused' : 'failed')
  if (!denied) {
    const name = signInProviders().find((one) => one.id === id)?.id
    log.warn('a sign-in through a provider failed', { name, code: /^[a-z_]{1,40}$/.exec(error)?.[0] })
  }
  return seeOther(refusedPath(denied ? 'denied' : 'failed', next))
}

/**
 * Runs next-auth with one provider. If the provider is not configured or its metadata cannot be read,
 * redirects to the sign-in page.
 * @param unreachable the reason that this redirect adds to the sign-in page's URL
 */
async function throughProvider(id: string, unreachable: string, call: Call): Promise<Response> {
  const provider = signInProviders().find((one) => one.id === id)
  const through = await provider?.forNextAuth().catch((error) => {
    log.warn('could not start a sign-in through a provider', { name: id, error })
  })
  return through ? run(call, through) : seeOther(refusedPath(unreachable, call.next))
}

/**
 * Runs next-auth and returns its response with the cookies of a successful sign-in and with changed redirects
 * (`onOurPages`).
 * @param through the provider of the request; if undefined, next-auth gets all configured providers without
 * their endpoints
 */
async function run(call: Call, through?: OAuthConfig<ProviderProfile>): Promise<Response> {
  const { request, context, visitor, next } = call
  const cookies = request.headers.get('cookie') ?? undefined
  let result: SignInResult | undefined
  const options: AuthOptions = {
    ...authOptions(),
    providers: through ? [through] : signInProviders().map(({ listed }) => listed),
    callbacks: {
      // Ignore the URL in the request and in the cookie, because only `next` was validated.
      redirect: () => `${config().BASE_URL}${next}`,
      signIn: async ({ account, profile }) => {
        const provider = String(account?.provider)
        const user = signInExternal({ provider, ...(profile as unknown as ProviderProfile) })
        try {
          const proof = user.then((proven) => ({ ...proven, methods: ['ext' as const] }))
          result = await admitUser({ request, visitor, next }, 'provider', proof)
          return result.session ? true : result.location
        } catch (error) {
          return refusedPath(reasonOf(provider, error), next)
        }
      },
      jwt: ({ token, account }) => (account ? { ...result?.session } : token),
      session: async ({ session }) => {
        const user = (await sessionFromCookies(cookies, visitor))?.user
        return { ...session, user: { name: user?.name, email: user?.email, image: user?.avatarUrl } }
      },
    },
    events: {
      signOut: async () => {
        const session = await signInFromCookies(cookies, visitor)
        if (session) await endOwnSession(session.actor)
      },
    },
  }
  const answer: Response = await nextAuth(request, context, options)
  for (const cookie of result?.cookies ?? []) answer.headers.append('set-cookie', cookie)
  return onOurPages(answer, call)
}

/**
 * Replaces redirects to next-auth's own pages with redirects to the sign-in page, and makes the redirect to
 * `next` relative. Prevents caching of all redirects. Counts a failed callback.
 */
async function onOurPages(answer: Response, { request, context, next }: Call): Promise<Response> {
  const { BASE_URL } = config()
  const [action] = (await context.params).nextauth
  const location = answer.headers.get('location')
  if (location === null) return answer
  const failed = /^\/api\/auth\/(error|signin|signout)\b/.test(location.slice(BASE_URL.length))
  const { searchParams } = request.nextUrl
  if (failed && action === 'callback') {
    countFailure('provider', 'failed')
    answer.headers.set('location', refusedPath('failed', next))
  } else if (failed || action === 'error' || (action === 'signin' && request.method === 'GET')) {
    const quiet = action === 'signin' && request.method === 'GET' && !searchParams.has('error')
    answer.headers.set('location', quiet ? signInPath(next) : refusedPath('failed', next))
  } else if (location === `${BASE_URL}${next}`) {
    answer.headers.set('location', next)
  }
  answer.headers.set('cache-control', 'no-store')
  return answer
}
