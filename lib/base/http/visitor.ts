import { config } from '@/lib/base/config/env'
import { chooseLanguage, isLanguage, type Language } from '@/lib/base/language/languages'
import { type Say, sayIn } from '@/lib/base/language/say'
import { addressFromHeaders } from './client-address'

/** A client that is not signed in: the origin of a sign-in or sign-up, for limits, sessions, and the audit log. */
export type Visitor = {
  /** The client address (see ./client-address). */
  ip?: string
  userAgent?: string
  /** The language of the user, for emails. */
  language?: Language
  /** Whether the user chose the language on a page. */
  choseLanguage?: boolean
}

/** Returns the visitor of a request. @param from its headers */
export const visitorFrom = (from: Headers): Visitor => ({
  ip: addressFromHeaders(from),
  userAgent: from.get('user-agent') ?? undefined,
  language: languageFrom(from),
  choseLanguage: chosenLanguage(from) !== undefined,
})

/**
 * The header in which the server passes next-auth's CSRF token to the sign-in page. If a client sends it, the buttons of its
 * page do not work.
 */
export const csrfHeader = 'x-latchkey-csrf-token'

const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Describes a User-Agent header, such as "Firefox on Windows". A guess, for display only.
 * @param say translates; English by default
 */
export function describeDevice(userAgent: string | null, say: Say = sayIn('en')): string {
  const named = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return say('signin.device', { browser, system })
  return browser ?? system ?? say('signin.unknownDevice')
}

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

/** The cookie with the language that a user chose on a page. Contains a language tag only. */
export const languageCookieName = (): string => cookieName('language')

const year = 365 * 24 * 3600

/** Returns the Set-Cookie value for a choice. */
export const languageCookie = (language: Language): string =>
  setCookie(languageCookieName(), language, '/', year)

type Headers = { get(name: string): string | null | undefined }

/** Returns the language chosen earlier in this browser. */
function chosenLanguage(headers: Headers): Language | undefined {
  const name = `${languageCookieName()}=`
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const chosen = pairs.find((pair) => pair.startsWith(name))?.slice(name.length)
  return isLanguage(chosen) ? chosen : undefined
}

/**
 * Returns the language of a request, unless a page of an app's authorization request determines it.
 * @param headers the request headers
 * @param uiLocales the requested languages (`ui_locales`)
 */
export const languageFrom = (headers: Headers, uiLocales?: string): Language =>
  chooseLanguage({
    chosen: chosenLanguage(headers),
    uiLocales,
    acceptLanguage: headers.get('accept-language'),
  })

/** The color scheme of the console; the system's by default. */
export type Theme = 'light' | 'dark'

export const themeCookie = (): string => cookieName('theme')

/** Returns the theme in the cookie; undefined for any other value. */
export const readTheme = (value: unknown): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined
