import { config } from '@/lib/base/config/env'

/** Whether cookies are Secure, and say so by their names; that follows BASE_URL, never the request. See decision 062. */
export const isSecure = (): boolean => config().BASE_URL.startsWith('https://')

/**
 * The name of a cookie that is sent to every address here: its prefix makes browsers refuse one that was not set by this
 * very host over https (RFC 6265bis section 4.1.3.2). Plain http knows no such cookies.
 */
export const hostCookieName = (name: string): string => (isSecure() ? `__Host-${name}` : name)

/** The name of a cookie that belongs to some addresses alone, which is refused unless it was set over https. */
export const secureCookieName = (name: string): string => (isSecure() ? `__Secure-${name}` : name)

/**
 * The name of a cookie of the whole service. It has the service's name in it: cookies do not tell ports apart, and an app
 * that is tried on the same host would otherwise take the session of this service away.
 */
export const cookieName = (what: string): string => hostCookieName(`latchkey.${what}`)

/**
 * Returns a Set-Cookie value for a cookie that scripts cannot read and cross-site forms do not send.
 * @param name as `cookieName` and `hostCookieName` return it
 * @param seconds the lifetime of the cookie; 0 deletes it
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
