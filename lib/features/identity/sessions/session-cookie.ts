import { hkdfSync } from 'node:crypto'
import { jwtDecrypt } from 'jose'
import { config } from '@/lib/base/config/env'
import { derivedKeys, isUnderFormerKey, openToken, sealToken } from '@/lib/base/credentials/seal'
import { cookieName, setCookie } from '@/lib/base/http/cookies'

/** What a session's cookie carries, sealed: the person and the row of `sessions` that decides whether it counts. */
export type SessionToken = { sub: string; sid: string }

/** Returns how long a browser session lives after the sign-in that started it, however much it is used, in seconds. */
export const sessionSeconds = (): number => config().sessionDays * 24 * 60 * 60

export const sessionCookieName = (): string => cookieName('session-token')

/** The Set-Cookie value that signs a browser in. */
export function sessionCookie({ sub, sid }: SessionToken): string {
  const value = sealToken(JSON.stringify({ sub, sid }), 'browser-session')
  return setCookie(sessionCookieName(), value, '/', sessionSeconds())
}

/** The Set-Cookie value that removes it. */
export const clearedSessionCookie = (): string => setCookie(sessionCookieName(), '', '/', 0)

/** Reads a session's cookie. @returns undefined when it is forged, malformed or absent; whether it has ended the row says */
export async function readSessionToken(value: string | undefined): Promise<SessionToken | undefined> {
  if (!value) return undefined
  const { sub, sid } = ((await readEarlierCookie(value)) ?? openCookie(value) ?? {}) as Partial<SessionToken>
  return typeof sub === 'string' && typeof sid === 'string' ? { sub, sid } : undefined
}

function openCookie(value: string): unknown {
  const token = openToken(value, 'browser-session')
  return token && JSON.parse(token)
}

/**
 * The Set-Cookie value in place of a cookie that a key of SECRET_KEY_PREVIOUS had sealed, so that nobody who comes by while
 * that key is still read has to sign in again once it is gone.
 * @returns undefined for every other cookie
 */
export function renewedSessionCookie(value: string | undefined): string | undefined {
  if (!value || derivedKeys('browser-session').length === 1) return undefined
  const token = openCookie(value) as SessionToken | undefined
  const former = token && isUnderFormerKey(Buffer.from(value, 'base64url'), 'browser-session')
  return former ? sessionCookie(token) : undefined
}

/** The value of one cookie in a Cookie header (RFC 6265 section 5.4); the first one counts. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/**
 * Reads the cookie of a session that began under a release that kept it as next-auth does (an encrypted JWT, RFC 7516), so
 * that nobody has to sign in again for an upgrade. To be deleted once no session of theirs can be alive.
 * @returns what the cookie carries; undefined for any other value
 */
async function readEarlierCookie(value: string): Promise<unknown> {
  // A compact JWE has five parts; what we seal ourselves has no dots.
  if (value.split('.').length !== 5) return undefined
  // As next-auth made them, and in no other way that the library knows.
  const asMade = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  for (const derived of derivedKeys('next-auth')) {
    const secret = derived.toString('hex')
    const key = hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32)
    const read = await jwtDecrypt(value, new Uint8Array(key), asMade).catch(() => undefined)
    if (read) return read.payload
  }
  return undefined
}
