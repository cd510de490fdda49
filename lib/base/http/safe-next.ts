import { encodeBeyondAscii, ruleOf } from './addresses'

/**
 * Matches characters that could make a browser leave this origin: backslashes and ASCII control characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const suspicious = /[\\\u0000-\u001f\u007f]/

/**
 * Returns the path to continue to after sign-in, which is always on this origin (RFC 6749 section 10.15, open
 * redirectors).
 * @param value the value of the `next` parameter
 * @param fallback the path to return for an invalid value, or for a page to which a sign-in must not redirect
 * @returns a path that is safe in a Location header, with the query and fragment of `value`
 */
export function safeNext(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > longest) return fallback
  const base = 'http://origin.invalid'
  if (!URL.canParse(value, base)) return fallback
  const url = new URL(value, base)
  if (url.origin !== base || suspicious.test(value) || ruleOf(url.pathname).deadEnd) return fallback
  let path = value.split(/[?#]/, 1)[0] as string
  // Some proxies decode paths again, so the path must stay safe each time it is decoded.
  for (let round = 0; round < 4; round++) {
    if (path.startsWith('//') || suspicious.test(path)) return fallback
    const decoded = decode(path)
    if (decoded === undefined) return fallback
    if (decoded === path) return url.pathname.startsWith('//') ? fallback : forHeader(value, fallback)
    path = decoded
  }
  return fallback
}

const longest = 8000

/**
 * Encodes non-ASCII characters as browsers do, because headers can contain only ASCII. Returns the fallback
 * if the result is too long.
 */
function forHeader(path: string, fallback: string): string {
  const encoded = encodeBeyondAscii(path)
  return encoded.length > longest ? fallback : encoded
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Returns the path of the page on which a user sets up required two-factor authentication before continuing
 * to another path.
 */
export const twoFactorPath = (next: string): string => `/two-factor?next=${encodeURIComponent(next)}`

/**
 * Returns the path of the sign-in page. @param next the path on this origin to continue to after the sign-in
 */
export const signInPath = (next: string): string =>
  next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`
