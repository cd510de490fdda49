import { cookies } from 'next/headers'
import { isSecure } from '@/lib/base/http/cookies'
import { languageCookieName } from '@/lib/base/http/visitor'
import type { Language } from '@/lib/base/language/languages'

/** Keeps a language for this browser, as the foot of the pages at the door does: otherwise they would take the choice back. */
export async function keepLanguage(language: Language): Promise<void> {
  const kept = { path: '/', secure: isSecure(), httpOnly: true, sameSite: 'lax', maxAge: 31_536_000 } as const
  ;(await cookies()).set(languageCookieName(), language, kept)
}
