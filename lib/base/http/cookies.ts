import { config } from '@/lib/base/config/env'

/** Returns whether cookies are Secure and have a prefix. Depends on BASE_URL, never on the request. See ADR 0026. */
export const isSecure = (): boolean => config().BASE_URL.startsWith('https://')

/**
 * Returns the name of a cookie for all paths. Its `__Host-` prefix makes browsers reject a cookie that was not set by this host
 * over https (RFC 6265bis section 4.1.3.2). There are no prefixes on http.
 */
export const hostCookieName = (name: string): string => (isSecure() ? `__Host-${name}` : name)

/** Returns the name of a cookie for some paths. Browsers reject it unless it was set over https. */
export const secureCookieName = (name: string): string => (isSecure() ? `__Secure-${name}` : name)

/**
 * Returns the name of a cookie of the whole service. It contains the service name: cookies do not distinguish ports, so an app on
 * another port of the same host could otherwise overwrite the session cookie.
 */
export const cookieName = (what: string): string => hostCookieName(`latchkey.${what}`)

/**
 * Returns a Set-Cookie value for a cookie that scripts cannot read and cross-site forms do not send.
 * @param name as `cookieName` and `hostCookieName` return it
 * @param seconds the lifetime of the cookie; 0 deletes it
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
