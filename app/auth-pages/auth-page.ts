import type { Metadata } from 'next'
import type { ReactElement } from 'react'
import type { ProviderChoice } from '@/components/auth/providers'
import { csrfHeader, languageFrom, visitorFrom } from '@/lib/base/http/visitor'
import { type PlainMessageKey, type Say, sayIn } from '@/lib/base/language/say'
import { peekInteraction, type WaitingApp } from '@/lib/edges/oauth/interaction/next-step'
import { readFlash } from '@/lib/edges/web/forms/answer-form'
import type { RefusedForm } from '@/lib/edges/web/forms/form-state'
import { signInProviders } from '@/lib/edges/web/sign-in/sign-in-providers'
import {
  type BrowserSession,
  sessionFromCookies,
  sessionWithTwoFactor,
  signInFromCookies,
} from '@/lib/features/identity/sessions/find-live-session'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'

/** The parts of a request that an auth page reads. */
export type Visit = {
  /** The values of the dynamic segments of the route, such as `uid`. */
  params: Record<string, string>
  query: Record<string, string | string[] | undefined>
  headers: Headers
}

/** An auth page for one visitor. `title` is the text of the browser tab, without the service name. */
export type ShownPage = { page: ReactElement; say: Say; title: string }

/** A redirect instead of a page. `to` is the path. */
type Redirect = { to: string }

/**
 * The definition of an auth page: a page with plain forms that works without JavaScript. A definition imports
 * no code from Next, because two renderers use it: ./answer under our own server, and ./under-next where Next
 * owns the process. See ADR 0030.
 */
export type AuthPage = {
  /**
   * The referrer policy of a page whose URL contains a secret. If it is omitted, the usual policy applies.
   */
  referrer?: Metadata['referrer']
  /** Returns the page or a redirect, or undefined if the page does not exist (404). */
  show: (visit: Visit) => Promise<ShownPage | Redirect | undefined>
}

/** Returns the value of a query parameter, or the first value if the parameter is repeated. */
export const queryValue = ({ query }: Visit, name: string): string | undefined => [query[name]].flat()[0]

export const cookieHeader = ({ headers }: Visit): string | undefined => headers.get('cookie') ?? undefined

/**
 * Returns the session of the visitor's browser. Returns undefined if no one is signed in, or if the session
 * lacks the two-factor authentication that the instance requires.
 */
export const sessionOf = (visit: Visit): Promise<BrowserSession | undefined> =>
  sessionFromCookies(cookieHeader(visit), visitorFrom(visit.headers))

/**
 * Returns whether the user has signed in, but without the two-factor authentication that the instance
 * requires.
 */
export async function owesTwoFactor(visit: Visit): Promise<boolean> {
  const signIn = await signInFromCookies(cookieHeader(visit), visitorFrom(visit.headers))
  return signIn !== undefined && sessionWithTwoFactor(signIn) === undefined
}

/**
 * Returns the translator for a visitor. The visit's own `ui_locales` parameter takes precedence over
 * `requested`.
 * @param requested the `ui_locales` of the visitor's pending authorization request, if there is one
 */
export const translatorForVisitor = (visit: Visit, requested?: string): Say =>
  sayIn(languageFrom(visit.headers, queryValue(visit, 'ui_locales') ?? requested))

/**
 * Returns the app whose authorization request waits for this sign-in, and the translator. The `ui_locales` of
 * the authorization request can determine the language. `app` is undefined if no app waits for the sign-in.
 * @param next the path to continue to after the sign-in
 */
export async function waitingApp(
  visit: Visit,
  next = queryValue(visit, 'next'),
): Promise<{ app: WaitingApp | undefined; say: Say }> {
  const app = await peekInteraction(next, visitorFrom(visit.headers).ip)
  return { app, say: translatorForVisitor(visit, app?.uiLocales) }
}

/**
 * Returns the configured identity providers as the sign-in and sign-up forms show them.
 * @param visit the visit, whose request has next-auth's CSRF token (added by ./answer or proxy.ts); undefined
 * for a preview
 */
export const providerButtons = (visit?: Visit): ProviderChoice[] =>
  signInProviders().map(({ id, label }) => ({
    id,
    name: label,
    action: `/api/auth/signin/${id}`,
    csrfToken: visit?.headers.get(csrfHeader) ?? undefined,
  }))

/**
 * The messages for the `?error=` codes of failed attempts to sign in through an identity provider or to
 * connect an account at one.
 */
const providerErrors = new Map<string, PlainMessageKey>([
  ['account_exists', 'provider.accountExists'],
  ['suspended', 'provider.suspended'],
  // Earlier releases redirected to this code. URLs with it can still be open in browsers.
  ['refused', 'provider.suspended'],
  ['sso_required', 'known.ssoRequired'],
  ['unverified_email', 'provider.unverified'],
  ['sign_up_closed', 'known.noNewAccounts'],
  ['invitation_required', 'known.invitedOnly'],
  ['domain_not_allowed', 'known.domainsOnly'],
  ['provider', 'provider.unreachable'],
  ['too_many', 'provider.tooMany'],
  ['denied', 'provider.denied'],
  ['connected_elsewhere', 'connect.elsewhere'],
  ['sso', 'provider.sso'],
])

/**
 * Returns the reason why the last submission of the form was rejected, and the values that were entered.
 * Returns undefined without `?error=`.
 */
export function refusedForm(visit: Visit, say: Say): RefusedForm | undefined {
  const error = queryValue(visit, 'error')
  if (!error) return undefined
  const cookies = {
    get: (name: string) => {
      const value = cookieValue(cookieHeader(visit), name)
      return value === undefined ? undefined : { value }
    },
  }
  const message = say(providerErrors.get(error) ?? 'provider.failed')
  return readFlash(cookies, true) ?? { message, fields: {}, values: {} }
}

/** Returns a path with the `next` parameter of this page. */
export const withNext = (path: string, next: string | undefined): string =>
  next ? `${path}?${new URLSearchParams({ next })}` : path
