import { openToken, sealToken } from '@/lib/base/credentials/seal'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { secureCookieName, setCookie } from '@/lib/base/http/cookies'
import { cookieValue } from '@/lib/features/identity/sessions/session-cookie'

/** A sign-in that has left for an identity provider: what ties the answer to this browser, and where to go afterwards. */
export type ExternalSignIn = {
  provider: string
  state: string
  nonce: string
  /** PKCE's (RFC 7636 section 4.1). */
  verifier: string
  next: string
  /** The browser session whose person connects the account there, instead of signing in by it. */
  connects?: string
}

const name = () => secureCookieName('lk-external-sign-in')
const seconds = 15 * 60
const path = '/api/auth/callback'

/** The Set-Cookie value that keeps it in the browser, sealed. */
export function externalSignInCookie(begun: ExternalSignIn): string {
  const sealed = sealToken(
    JSON.stringify({ ...begun, until: databaseNow() + seconds * 1000 }),
    'external-sign-in',
  )
  return setCookie(name(), sealed, path, seconds)
}

/** The Set-Cookie value that takes it back: each is good for one answer. */
export const clearedExternalSignInCookie = (): string => setCookie(name(), '', path, 0)

/** The sign-in that a request's cookies carry; undefined when there is none, it was not made here, or it is over. */
export function readExternalSignIn(request: Request): ExternalSignIn | undefined {
  const value = cookieValue(request.headers.get('cookie') ?? undefined, name())
  const opened = value && openToken(value, 'external-sign-in')
  if (!opened) return undefined
  const { until, ...begun } = JSON.parse(opened) as ExternalSignIn & { until?: number }
  // A browser forgets a cookie by itself; whoever has a copy of one does not.
  return Number(until) > databaseNow() ? begun : undefined
}
