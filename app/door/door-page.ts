import type { Metadata } from 'next'
import type { ReactElement } from 'react'
import { languageFrom, visitorFrom } from '@/lib/base/http/visitor'
import { type PlainMessageKey, type Say, sayIn } from '@/lib/base/language/say'
import { readFlash } from '@/lib/edges/web/forms/answer-form'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import {
  type BrowserSession,
  payingSession,
  sessionFromCookies,
  signInFromCookies,
} from '@/lib/features/identity/sessions/browser-session'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'

/** A request for a page at the door, as far as the page looks at it. */
export type Visit = {
  /** What stands in the place of a folder in brackets. */
  params: Record<string, string>
  query: Record<string, string | string[] | undefined>
  headers: Headers
}

/** A page as it is shown to somebody: in which language, and what the browser's tab calls it. */
export type ShownPage = { page: ReactElement; say: Say; title: string }

/**
 * A page at the door: plain forms that need no script. It asks the framework for nothing, so that our own server draws it
 * without Next (./answer-door) and Next draws the same where it has the process to itself (./under-next). See decision 160.
 */
export type DoorPage = {
  /** Where the address holds a secret, which must not go to another site. */
  referrer?: Metadata['referrer']
  /** @returns the page, or the address where the person goes instead; undefined where there is none, which Next tells */
  show: (visit: Visit) => Promise<ShownPage | { to: string } | undefined>
}

/** The value of a parameter. Of a repeated one the first counts. */
export const one = ({ query }: Visit, name: string): string | undefined => [query[name]].flat()[0]

export const cookieHeader = ({ headers }: Visit): string | undefined => headers.get('cookie') ?? undefined

/** Whose browser it is. */
export const sessionOf = (visit: Visit): Promise<BrowserSession | undefined> =>
  sessionFromCookies(cookieHeader(visit), visitorFrom(visit.headers))

/** Whether somebody is signed in there who still owes a second factor, before which no session counts. */
export async function owesFactor(visit: Visit): Promise<boolean> {
  const signIn = await signInFromCookies(cookieHeader(visit), visitorFrom(visit.headers))
  return signIn !== undefined && payingSession(signIn) === undefined
}

/** How to speak to whoever visits. @param asked `ui_locales` of the request that waits, if one does */
export const sayTo = (visit: Visit, asked?: string): Say =>
  sayIn(languageFrom(visit.headers, one(visit, 'ui_locales') ?? asked))

/** Codes that arrive without a form: an identity provider's answer, by what it said or by our own check of it. */
const sentences = new Map<string, PlainMessageKey>([
  ['account_exists', 'provider.accountExists'],
  ['refused', 'provider.suspended'],
  ['provider', 'provider.unreachable'],
  ['too_many', 'provider.tooMany'],
  ['denied', 'provider.denied'],
  ['connected_elsewhere', 'connect.elsewhere'],
  ['company', 'provider.company'],
])

/** What the last try of a form was refused for. */
export function refusedForm(visit: Visit, say: Say): RefusedForm | undefined {
  const error = one(visit, 'error')
  if (!error) return undefined
  const cookies = {
    get: (name: string) => {
      const value = cookieValue(cookieHeader(visit), name)
      return value === undefined ? undefined : { value }
    },
  }
  const message = say(sentences.get(error) ?? 'provider.failed')
  return readFlash(cookies, true) ?? { message, fields: {}, values: {} }
}

/** The other page of the pair, with `next` kept. */
export function withNext(path: string, next: string | undefined): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path
}
