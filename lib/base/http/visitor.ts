import { chooseLanguage, isLanguage, type Language } from '@/lib/base/language/languages'
import { type Say, sayIn } from '@/lib/base/language/say'
import { addressFromHeaders } from './client-address'
import { cookieName, setCookie } from './cookies'

/** A visitor who is not signed in: where a sign-in or sign-up comes from, for limits, sessions and the audit log. */
export type Visitor = {
  /** The client's address, as ./client-address sees it. */
  ip?: string
  userAgent?: string
  /** What they read, for mails. */
  language?: Language
  /** Whether they chose it on a page, which says more than how a browser is set. */
  choseLanguage?: boolean
}

/** The visitor who sent a request, for limits and records. @param from its headers */
export const visitorFrom = (from: Headers): Visitor => ({
  ip: addressFromHeaders(from),
  userAgent: from.get('user-agent') ?? undefined,
  language: languageFrom(from),
  choseLanguage: chosenLanguage(from) !== undefined,
})

/**
 * The header in which the server passes next-auth's CSRF token to the sign-in page that it draws. A client that sends it
 * itself gets a page whose buttons do not work.
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
 * A User-Agent header in words a person recognises, such as "Firefox on Windows". A guess, for display alone.
 * @param say in whose language; English without it
 */
export function describeDevice(userAgent: string | null, say: Say = sayIn('en')): string {
  const named = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  if (browser && system) return say('signin.device', { browser, system })
  return browser ?? system ?? say('signin.unknownDevice')
}

/** The cookie of somebody who chose a language on a page. It holds a tag, and nothing about who they are. */
export const languageCookieName = (): string => cookieName('language')

const year = 365 * 24 * 3600

/** The Set-Cookie value that keeps a choice. */
export const languageCookie = (language: Language): string =>
  setCookie(languageCookieName(), language, '/', year)

type Headers = { get(name: string): string | null | undefined }

/** What whoever sent a request chose on a page before, in this browser. */
function chosenLanguage(headers: Headers): Language | undefined {
  const name = `${languageCookieName()}=`
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const chosen = pairs.find((pair) => pair.startsWith(name))?.slice(name.length)
  return isLanguage(chosen) ? chosen : undefined
}

/**
 * The language of whoever sent a request, where no page of an app's request says more.
 * @param headers the request's
 * @param uiLocales what the request or its address asks for
 */
export const languageFrom = (headers: Headers, uiLocales?: string): Language =>
  chooseLanguage({
    chosen: chosenLanguage(headers),
    uiLocales,
    acceptLanguage: headers.get('accept-language'),
  })

/** How the console looks; without a choice it follows the system. */
export type Theme = 'light' | 'dark'

export const themeCookie = (): string => cookieName('theme')

/** What the theme's cookie says; anything else than a theme counts as no choice. */
export const readTheme = (value: unknown): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined
