import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { signInPath, twoFactorPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import {
  type BrowserSession,
  payingSession,
  signInFromCookies,
} from '@/lib/features/identity/sessions/find-live-session'

/** Who is signed in, whether or not they still owe a second factor; read once per request. For setting that up alone. */
export const currentSignIn = cache(async (): Promise<BrowserSession | undefined> => {
  const incoming = await headers()
  return signInFromCookies(incoming.get('cookie') ?? undefined, visitorFrom(incoming))
})

/** The session of the request being answered, for pages, route handlers and server actions. */
export const currentSession = async (): Promise<BrowserSession | undefined> =>
  payingSession(await currentSignIn())

/**
 * The same, for a page that only makes sense to a person. Whoever owes a second factor is led to set it up.
 * @param returnTo the page's own path, where the person comes back to afterwards
 */
export async function requireSession(returnTo: string): Promise<BrowserSession> {
  const session = await currentSession()
  if (session) return session
  redirect((await currentSignIn()) ? twoFactorPath(returnTo) : signInPath(returnTo))
}
