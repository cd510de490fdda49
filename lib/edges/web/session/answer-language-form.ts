import { config } from '@/lib/base/config/env'
import { seeOther } from '@/lib/base/http/answers'
import { takeForm } from '@/lib/base/http/body'
import { languageCookie } from '@/lib/base/http/visitor'
import { isLanguage } from '@/lib/base/language/languages'

/** POST /language: `language` is kept for this browser; the person comes back to the page that the form stands on. */
export async function answerLanguageForm(request: Request): Promise<Response> {
  const form = await takeForm(request)
  if (form instanceof Response) return form
  const cookies = isLanguage(form.language) ? [languageCookie(form.language)] : []
  return seeOther(pageBefore(request.headers.get('referer')), cookies)
}

/** The page of ours that a request comes from, as a path. Every page at the door names itself to its own origin. */
function pageBefore(referer: string | null): string {
  const url = referer ? URL.parse(referer) : null
  if (url?.origin !== new URL(config().BASE_URL).origin || /^\/[/\\]/.test(url.pathname)) return '/login'
  return `${url.pathname}${url.search}`
}
