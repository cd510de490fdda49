import { chooseLanguage } from '@/lib/base/language/choose-language'
import type { Language } from '@/lib/base/language/languages'
import { cookieName } from './cookie-names'
import { setCookie } from './set-cookie'

/** The cookie of somebody who chose a language on a page. It holds a tag, and nothing about who they are. */
const languageCookieName = (): string => cookieName('language')

const year = 365 * 24 * 3600

/** The Set-Cookie value that keeps a choice. */
export const languageCookie = (language: Language): string =>
  setCookie(languageCookieName(), language, '/', year)

/**
 * The language of whoever sent a request, where no page of an app's request says more.
 * @param headers the request's
 * @param uiLocales what the request or its address asks for
 */
export function languageFrom(
  headers: { get(name: string): string | null | undefined },
  uiLocales?: string,
): Language {
  const cookie = headers.get('cookie') ?? ''
  const name = `${languageCookieName()}=`
  const chosen = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
  return chooseLanguage({ chosen, uiLocales, acceptLanguage: headers.get('accept-language') })
}
