import { chooseLanguage } from '@/lib/base/language/choose-language'
import { isLanguage, type Language } from '@/lib/base/language/languages'
import { cookieName } from './cookie-names'
import { setCookie } from './set-cookie'

/** The cookie of somebody who chose a language on a page. It holds a tag, and nothing about who they are. */
export const languageCookieName = (): string => cookieName('language')

const year = 365 * 24 * 3600

/** The Set-Cookie value that keeps a choice. */
export const languageCookie = (language: Language): string =>
  setCookie(languageCookieName(), language, '/', year)

type Headers = { get(name: string): string | null | undefined }

/** What whoever sent a request chose on a page before, in this browser. */
export function chosenLanguage(headers: Headers): Language | undefined {
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
