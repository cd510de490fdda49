import { config } from '@/lib/base/config/env'
import { chooseLanguage, isLanguage, type Language } from '@/lib/base/language/languages'
import { type Say, sayIn } from '@/lib/base/language/say'
import { addressFromHeaders } from './client-address'

/**
 * Details about the client that sent a request, such as a sign-in or sign-up. They are used for rate limits,
 * sessions, emails, and the audit log.
 */
export type Visitor = {
  /** The client's IP address (see ./client-address). */
  ip?: string
  userAgent?: string
  /** The user's language, for emails. */
  language?: Language
  /** Whether the user chose the language on a page. */
  choseLanguage?: boolean
}

/** Returns details about the client that sent a request. @param from the request's headers */
export const visitorFrom = (from: Headers): Visitor => ({
  ip: addressFromHeaders(from),
  userAgent: from.get('user-agent') ?? undefined,
  language: languageFrom(from),
  choseLanguage: chosenLanguage(from) !== undefined,
})

/**
 * The header in which the server passes next-auth's CSRF token to the sign-in and sign-up pages. The server
 * removes any value that a client sends to these pages.
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
 * Describes the device in a User-Agent header, such as "Firefox on Windows" or, if nothing is recognized,
 * "Unknown browser". The description is a guess. Use it only for display.
 * @param say the translator; English by default
 */
export function describeDevice(userAgent: string | null, say: Say = sayIn('en')): string {
  const named = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return say('signin.device', { browser, system })
  return browser ?? system ?? say('signin.unknownDevice')
}

/**
 * Returns whether cookies have the Secure attribute and a name prefix. This depends only on BASE_URL, because
 * a proxy can forward https requests over http.
 */
export const isSecure = (): boolean => config().BASE_URL.startsWith('https://')

/**
 * Returns the full name of a cookie that browsers send to all paths. With the `__Host-` prefix, browsers
 * reject a cookie that was not set by this host over https (RFC 6265bis section 4.1.3.2). Over http, names
 * have no prefix.
 */
export const hostCookieName = (name: string): string => (isSecure() ? `__Host-${name}` : name)

/**
 * Returns the full name of a cookie that browsers send only to some paths. With the `__Secure-` prefix,
 * browsers reject a cookie that was not set over https. Over http, names have no prefix.
 */
export const secureCookieName = (name: string): string => (isSecure() ? `__Secure-${name}` : name)

/**
 * Returns the full name of a cookie for the whole origin. The name contains `latchkey` because cookies do not
 * distinguish ports. Without `latchkey` in the name, an app on another port of the same host could overwrite
 * the cookie with its own cookie of the same name.
 */
export const cookieName = (what: string): string => hostCookieName(`latchkey.${what}`)

/**
 * Returns a Set-Cookie value for a cookie that scripts cannot read and that browsers omit from cross-site
 * POST requests.
 * @param name a name from `cookieName`, `hostCookieName`, or `secureCookieName`
 * @param seconds the lifetime of the cookie; 0 deletes it
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`

/**
 * Returns the name of the cookie that stores the language chosen on a page. The cookie contains only a
 * language tag.
 */
export const languageCookieName = (): string => cookieName('language')

const year = 365 * 24 * 3600

/** Returns the Set-Cookie value that stores the chosen language for a year. */
export const languageCookie = (language: Language): string =>
  setCookie(languageCookieName(), language, '/', year)

type Headers = { get(name: string): string | null | undefined }

/** Returns the supported language in the language cookie, or undefined if there is none. */
function chosenLanguage(headers: Headers): Language | undefined {
  const name = `${languageCookieName()}=`
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const chosen = pairs.find((pair) => pair.startsWith(name))?.slice(name.length)
  return isLanguage(chosen) ? chosen : undefined
}

/**
 * Returns the language in which to respond to a request (see `chooseLanguage`).
 * @param headers the request headers
 * @param uiLocales the `ui_locales` parameter, which lists the languages that the app requests
 */
export const languageFrom = (headers: Headers, uiLocales?: string): Language =>
  chooseLanguage({
    chosen: chosenLanguage(headers),
    uiLocales,
    acceptLanguage: headers.get('accept-language'),
  })

/** The color scheme of the console. If none is chosen, the system's color scheme applies. */
export type Theme = 'light' | 'dark'

export const themeCookie = (): string => cookieName('theme')

/** Returns the theme from a cookie value, or undefined if the value is not a theme. */
export const readTheme = (value: unknown): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined
