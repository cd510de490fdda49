import { LRUCache } from 'lru-cache'
import { decode, encode, type JWT, type JWTDecodeParams, type JWTEncodeParams } from 'next-auth/jwt'
import { config } from '@/lib/base/config/env'
import { derivedKey, derivedKeys, openToken, type SealKey } from '@/lib/base/credentials/seal'
import { cookieName, setCookie } from '@/lib/base/http/visitor'
import { remember } from '@/lib/base/process/remember'

/**
 * The claims of a session cookie: the user, and the row of `sessions` that determines whether the session is
 * valid.
 */
export type SessionToken = { sub: string; sid: string }

/** Returns the number of seconds after which a session ends, even if the session is in use. */
export const sessionSeconds = (): number => config().sessionDays * 24 * 60 * 60

export const sessionCookieName = (): string => cookieName('session-token')

/**
 * Returns next-auth's secrets, which are derived from SECRET_KEY and SECRET_KEY_PREVIOUS for next-auth only.
 * New cookies are encrypted with the first secret, and all secrets can decrypt cookies.
 */
export const authSecrets = (): [string, ...string[]] =>
  derivedKeys('next-auth').map((key) => key.toString('hex')) as [string, ...string[]]

/**
 * Encrypts a token with the current secret. Used as `jwt.encode` in next-auth's options. Ignores the secret
 * that next-auth passes.
 */
export const encodeJwt = (params: Omit<JWTEncodeParams, 'secret'>): Promise<string> =>
  encode({ ...params, secret: authSecrets()[0] })

/**
 * The beginning of every JWT that next-auth encrypts: the header `{"alg":"dir","enc":"A256GCM"}` and an empty
 * key (RFC 7516).
 */
const encrypted = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..'

/**
 * Decrypts a token with the current or a former secret. The function `jwt.decode` in next-auth's options
 * calls this function. Returns null for a forged or expired token, for which next-auth's default throws an
 * error. Also returns null for a token with an algorithm that next-auth never uses, although next-auth's JWT
 * library would accept the token.
 */
export async function decodeJwt(params: Omit<JWTDecodeParams, 'secret'>): Promise<JWT | null> {
  if (!params.token?.startsWith(encrypted)) return null
  for (const secret of authSecrets()) {
    const token = await decode({ ...params, secret }).catch(() => null)
    if (token) return token
  }
  return null
}

/** Returns the Set-Cookie value that signs a browser in. */
export async function sessionCookie({ sub, sid }: SessionToken): Promise<string> {
  const maxAge = sessionSeconds()
  return setCookie(sessionCookieName(), await encodeJwt({ token: { sub, sid }, maxAge }), '/', maxAge)
}

/** Returns the Set-Cookie value that signs a browser out. */
export const clearedSessionCookie = (): string => setCookie(sessionCookieName(), '', '/', 0)

/**
 * Returns the user and session IDs in a session cookie, without checking the session. Returns undefined if
 * the cookie is forged, expired, malformed, or absent.
 */
export async function readSessionToken(value: string | undefined): Promise<SessionToken | undefined> {
  if (!value) return undefined
  // Cache the claims. Otherwise, next-auth would derive its key with HKDF on every request. The cache is
  // safe, because a cookie's claims never change. The state of the session is not cached.
  const keys = derivedKeys('next-auth')
  const kept = decrypted().get(value)
  const token =
    kept?.keys === keys
      ? kept.token
      : (((await decodeJwt({ token: value })) ?? openSealed(value) ?? {}) as Claims)
  const { sub, sid, exp } = token
  if (typeof sub !== 'string' || typeof sid !== 'string') return undefined
  if (typeof exp === 'number' && exp * 1000 <= Date.now()) return undefined
  if (token !== kept?.token) decrypted().set(value, { keys, token })
  return { sub, sid }
}

/** The claims of a cookie, with its expiry as a Unix timestamp. */
type Claims = Partial<SessionToken> & { exp?: number }

/**
 * Returns the cache of the claims in recent valid cookies. Each entry also contains the keys that decrypted
 * the cookie. If the keys change, the entry is ignored.
 */
const decrypted = () =>
  remember(
    'decrypted-cookies',
    () => new LRUCache<string, { keys: readonly Buffer[]; token: Claims }>({ max: 2_000 }),
  )

/**
 * Returns the claims in the cookie of a session that began under version 2.0, so that an upgrade does not
 * sign anyone out. Returns undefined for any other value. Delete this function in the release after 3.0, when
 * all these sessions have ended.
 */
function openSealed(value: string, key: SealKey = 'browser-session'): unknown {
  const token = openToken(value, key)
  return token && JSON.parse(token)
}

/**
 * Returns the Set-Cookie value that replaces a valid cookie encrypted with a key from SECRET_KEY_PREVIOUS. If
 * users open a page before this key is removed, they do not have to sign in again after its removal.
 * @returns undefined for any other cookie
 */
export async function renewedSessionCookie(value: string | undefined): Promise<string | undefined> {
  const [current, ...former] = authSecrets()
  if (!value || former.length === 0) return undefined
  const isCurrent = value.startsWith(encrypted)
    ? await decode({ token: value, secret: current }).catch(() => null)
    : openSealed(value, derivedKey('browser-session'))
  const token = isCurrent ? undefined : await readSessionToken(value)
  return token && sessionCookie(token)
}

/**
 * Returns the value of the first cookie with this name in a Cookie header (RFC 6265 section 5.4), or
 * undefined if there is none.
 */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
