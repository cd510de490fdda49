import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { signInPath, twoFactorPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import {
  type BrowserSession,
  sessionWithTwoFactor,
  signInFromCookies,
} from '@/lib/features/identity/sessions/find-live-session'

/**
 * Returns the session of the current request, even if the user must still set up two-factor authentication.
 * Use this function only for that setup. Returns undefined if no one is signed in. The result is cached for
 * the duration of a request.
 */
export const currentSignIn = cache(async (): Promise<BrowserSession | undefined> => {
  const incoming = await headers()
  return signInFromCookies(incoming.get('cookie') ?? undefined, visitorFrom(incoming))
})

/**
 * Returns the session of the current request, for pages, route handlers, and server actions. Returns
 * undefined if no one is signed in, or if the user must still set up two-factor authentication.
 */
export const currentSession = async (): Promise<BrowserSession | undefined> =>
  sessionWithTwoFactor(await currentSignIn())

/**
 * Returns the session, or redirects the user to sign in or to set up required two-factor authentication.
 * @param returnTo the page's own path, to which the user returns afterwards
 */
export async function requireSession(returnTo: string): Promise<BrowserSession> {
  const session = await currentSession()
  if (session) return session
  redirect((await currentSignIn()) ? twoFactorPath(returnTo) : signInPath(returnTo))
}
