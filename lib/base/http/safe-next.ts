import { encodeBeyondAscii, ruleOf } from './addresses'

/** Anything a browser might read as a way out of this origin: backslashes and C0 controls, plain or encoded. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const suspicious = /[\\\u0000-\u001f\u007f]/

/**
 * Where to go after signing in: only ever a path of this origin (RFC 6749 section 10.15, open redirectors).
 * @param value what the `next` parameter held, whatever it is
 * @param fallback the path taken when it is anything but a plain path
 * @returns a path with query, fit for a Location header
 */
export function safeNext(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > longest) return fallback
  const base = 'http://origin.invalid'
  if (!URL.canParse(value, base)) return fallback
  const url = new URL(value, base)
  if (url.origin !== base || suspicious.test(value) || ruleOf(url.pathname).deadEnd) return fallback
  let path = value.split(/[?#]/, 1)[0] as string
  // Some proxies decode once more before they pass a path on, so every decoding of it must be harmless too.
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

/** A header holds ASCII; what else a person typed is written as a browser would send it. */
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

/** The page where somebody sets up the second factor that is demanded of them, and goes on from there. */
export const secondFactorPath = (next: string): string => `/second-factor?next=${encodeURIComponent(next)}`

/** The sign-in page that returns to a path of this origin. */
export const signInPath = (next: string): string =>
  next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`
