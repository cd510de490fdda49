import type { Language } from '@/lib/base/language/languages'
import { addressFromHeaders } from './client-address'
import { chosenLanguage, languageFrom } from './language-of-request'

/** Someone at the door, not yet known: where a sign-in or sign-up comes from, for limits, sessions and the audit log. */
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
