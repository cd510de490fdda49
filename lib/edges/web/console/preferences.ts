import { cookies } from 'next/headers'
import { config } from '@/lib/base/config/env'
import { seeOther } from '@/lib/base/http/answers'
import { readOwnForm } from '@/lib/base/http/body'
import {
  cookieName,
  isSecure,
  languageCookie,
  languageCookieName,
  readTheme,
  type Theme,
  themeCookie,
} from '@/lib/base/http/visitor'
import { isLanguage, type Language } from '@/lib/base/language/languages'
/** Returns the theme that the user chose in this browser, or undefined if none is stored. */
export const chosenTheme = async (): Promise<Theme | undefined> =>
  readTheme((await cookies()).get(themeCookie())?.value)

/** Stores a theme in this browser. If the value is not a theme, removes the stored theme instead. */
export async function chooseTheme(chosen: unknown): Promise<void> {
  const jar = await cookies()
  const name = themeCookie()
  const shared = { path: '/', secure: isSecure(), httpOnly: true, sameSite: 'lax' } as const
  const theme = readTheme(chosen)
  if (theme) jar.set(name, theme, { ...shared, maxAge: 31_536_000 })
  else jar.set(name, '', { ...shared, maxAge: 0 })
}

/**
 * Stores a language in this browser. The language menu on the auth pages uses the same cookie. If there were
 * two cookies, the language chosen in the menu would override this language.
 */
export async function keepLanguage(language: Language): Promise<void> {
  const kept = { path: '/', secure: isSecure(), httpOnly: true, sameSite: 'lax', maxAge: 31_536_000 } as const
  ;(await cookies()).set(languageCookieName(), language, kept)
}

/** The maximum number of recently opened workspaces that the browser stores. */
const most = 5

/**
 * Returns the properties of the cookie that contains the slugs of recently opened workspaces. A script on the
 * page sets the cookie.
 */
export const recentCookie = () => ({ name: cookieName('recent'), secure: isSecure(), most })

/**
 * Returns the properties of the cookie that contains the IDs of recently opened projects and apps. A script
 * on the page sets the cookie.
 */
export const placesCookie = () => ({ name: cookieName('places'), secure: isSecure(), most: 8 })

/**
 * Returns the IDs of up to eight recently opened projects and apps, latest first. Omits malformed and
 * duplicate IDs. The IDs are untrusted input.
 */
export async function recentPlaces(): Promise<string[]> {
  const { name, most } = placesCookie()
  const value = (await cookies()).get(name)?.value ?? ''
  return [...new Set(value.split('.').filter((id) => /^[\w-]{1,64}$/.test(id)))].slice(0, most)
}

/**
 * Returns the slugs of up to five recently opened workspaces, latest first. Omits malformed and duplicate
 * slugs. The slugs are untrusted input.
 */
export async function recentSlugs(): Promise<string[]> {
  const value = (await cookies()).get(recentCookie().name)?.value ?? ''
  return [...new Set(value.split('.').filter((slug) => /^[a-z0-9-]{1,60}$/.test(slug)))].slice(0, most)
}

/**
 * Handles POST /language: if `language` is a supported language, stores it in this browser. Redirects to the
 * form's page.
 */
export async function answerLanguageForm(request: Request): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const cookies = isLanguage(form.language) ? [languageCookie(form.language)] : []
  return seeOther(pageBefore(request.headers.get('referer')), cookies)
}

/**
 * Returns the path and query of the page that sent the request. Returns `/login` if the referrer is missing,
 * is not on this instance, or has a path that a browser could take for another host. Auth pages send their
 * full URL as the referrer, but only to their own origin.
 */
function pageBefore(referer: string | null): string {
  const url = referer ? URL.parse(referer) : null
  if (url?.origin !== new URL(config().BASE_URL).origin || /^\/[/\\]/.test(url.pathname)) return '/login'
  return `${url.pathname}${url.search}`
}
