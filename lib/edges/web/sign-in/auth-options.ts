import { NextRequest } from 'next/server'
import NextAuthModule, { type AuthOptions } from 'next-auth'
import type { JWTOptions } from 'next-auth/jwt'
import { config } from '@/lib/base/config/env'
import { cookieName, isSecure } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import {
  authSecrets,
  decodeJwt,
  encodeJwt,
  readSessionToken,
  sessionCookieName,
  sessionSeconds,
} from '@/lib/features/identity/sessions/session-cookie'

type NextAuth = typeof NextAuthModule

/**
 * The next-auth function. next-auth is a CommonJS module, so in Node, the function is the `default` property
 * of its default export.
 */
export const nextAuth: NextAuth =
  (NextAuthModule as unknown as { default?: NextAuth }).default ?? NextAuthModule

/** Returns the name of the cookie in which next-auth stores the page to open after the sign-in. */
export const callbackUrlCookieName = (): string => cookieName('callback-url')

/**
 * Returns the names of the cookies that bind a provider's response to this browser (RFC 9700 section 2.1).
 * Each is valid for one response.
 */
export const checkCookieNames = (): string[] => ['code-verifier', 'state', 'nonce'].map(cookieName)

/**
 * Returns the next-auth options that are the same for every request. Sets NEXTAUTH_URL, because next-auth
 * reads its URL only from the environment. The URL is always BASE_URL and never comes from a request's Host
 * header.
 */
export function authOptions(): Omit<AuthOptions, 'providers'> {
  process.env.NEXTAUTH_URL = config().BASE_URL
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure() } as const
  const [codeVerifier, state, nonce] = checkCookieNames().map((name) => ({ name, options }))
  return {
    secret: authSecrets()[0],
    session: { strategy: 'jwt', maxAge: sessionSeconds() },
    jwt: { maxAge: sessionSeconds(), encode: encodeJwt, decode: decodeCookie },
    pages: { signIn: '/login', error: '/login' },
    cookies: {
      sessionToken: { name: sessionCookieName(), options },
      callbackUrl: { name: callbackUrlCookieName(), options },
      csrfToken: { name: cookieName('csrf-token'), options },
      pkceCodeVerifier: codeVerifier,
      state,
      nonce,
    },
    logger: {
      error: (code, metadata) =>
        metadata instanceof Error
          ? note(code, metadata)
          : note(code, metadata.error, String(metadata.providerId ?? '')),
      warn: (code) => note(code),
      debug: () => {},
    },
  }
}

/**
 * Decrypts a next-auth cookie, or returns null if the cookie is invalid. Only the session cookie has no salt.
 * A session cookie that `decodeJwt` cannot decrypt might come from release 2.0, so `readSessionToken` also
 * tries to read it.
 */
const decodeCookie: JWTOptions['decode'] = async (params) =>
  (await decodeJwt(params)) ?? (params.salt ? undefined : await readSessionToken(params.token)) ?? null

/**
 * Logs the code, the provider, and the error. next-auth's own messages are not logged, because they can
 * contain tokens.
 */
function note(code: string, error?: unknown, provider = ''): void {
  // Do not log a warning for a session that has ended.
  if (code === 'JWT_SESSION_ERROR') return
  log.warn('a sign-in through a provider failed', { name: provider, code, error })
}

/**
 * Returns the CSRF token for the forms on a sign-in page that Next.js renders. A page cannot set cookies, so
 * proxy.ts calls this function. When the custom server renders the page, app/auth-pages/answer.ts requests
 * /api/auth/csrf instead.
 * @returns the token, and the Set-Cookie values that belong to it
 */
export async function csrfTokenFor(request: NextRequest): Promise<{ token: string; cookies: string[] }> {
  const asked = new NextRequest(new URL('/api/auth/csrf', config().BASE_URL), { headers: request.headers })
  const context = { params: Promise.resolve({ nextauth: ['csrf'] }) }
  const answer: Response = await nextAuth(asked, context, { ...authOptions(), providers: [] })
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  return { token: csrfToken, cookies: answer.headers.getSetCookie() }
}
