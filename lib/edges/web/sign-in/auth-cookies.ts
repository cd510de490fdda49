import type { NextAuthOptions } from 'next-auth'
import { cookieName, isSecure } from '@/lib/base/http/cookie-names'

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
