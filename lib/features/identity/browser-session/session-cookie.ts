import { decode, encode } from 'next-auth/jwt'
import { derivedKey } from '@/lib/base/credentials/seal'
import { cookieName, isSecure } from '@/lib/base/http/cookie-names'
import { sessionSeconds } from '../sessions/lifetime'

/** What next-auth's session token carries: the person and the row of `sessions` that decides whether it counts. */
export type SessionToken = { sub: string; sid: string }

/** next-auth's secret, derived from SECRET_KEY for this purpose alone. */
export const sessionSecret = (): string => derivedKey('next-auth').toString('hex')

export const sessionCookieName = (): string => cookieName('session-token')

const attributes = () => `Path=/; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`

/** The Set-Cookie value that signs a browser in: next-auth's own cookie, made the way next-auth makes it. */
export async function sessionCookie(token: SessionToken): Promise<string> {
  const value = await encode({ token, secret: sessionSecret(), maxAge: sessionSeconds() })
  return `${sessionCookieName()}=${value}; Max-Age=${sessionSeconds()}; ${attributes()}`
}

/** The Set-Cookie value that removes it. */
export const clearedSessionCookie = (): string => `${sessionCookieName()}=; Max-Age=0; ${attributes()}`

/** Reads a session token. @returns undefined when it is forged, expired, malformed or absent */
export async function readSessionToken(value: string | undefined): Promise<SessionToken | undefined> {
  if (!value) return undefined
  const token = await decode({ token: value, secret: sessionSecret() }).catch(() => null)
  const { sub, sid } = (token ?? {}) as Partial<SessionToken>
  return typeof sub === 'string' && typeof sid === 'string' ? { sub, sid } : undefined
}

/** The value of one cookie in a Cookie header (RFC 6265 section 5.4); the first one counts. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
