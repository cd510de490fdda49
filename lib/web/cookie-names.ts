import type { NextAuthOptions } from 'next-auth'
import { config } from '@/lib/config/env'

/** Over https next-auth sets Secure cookies, whose names say so; the name follows BASE_URL, never the request. */
export const isSecure = (): boolean => config().BASE_URL.startsWith('https://')

/**
 * The name of one of next-auth's cookies here. Not next-auth's own: cookies do not tell ports apart, and an app that is
 * tried on the same host with next-auth in it would take the session of this service away.
 */
export const cookieName = (what: string): string =>
  `${isSecure() ? (what === 'csrf-token' ? '__Host-' : '__Secure-') : ''}latchkey.${what}`

const quarterHour = 15 * 60

/** next-auth's `cookies` option, with the attributes that it gives by default. */
export function authCookies(): NextAuthOptions['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecure() }
  return {
    sessionToken: { name: cookieName('session-token'), options },
    callbackUrl: { name: cookieName('callback-url'), options },
    csrfToken: { name: cookieName('csrf-token'), options },
    pkceCodeVerifier: {
      name: cookieName('pkce.code_verifier'),
      options: { ...options, maxAge: quarterHour },
    },
    state: { name: cookieName('state'), options: { ...options, maxAge: quarterHour } },
    nonce: { name: cookieName('nonce'), options },
  }
}
