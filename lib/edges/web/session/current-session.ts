import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { type BrowserSession, sessionFromCookies } from '@/lib/features/identity/browser-session/session'

/** The session of the request being answered, read once per request, for pages, route handlers and server actions. */
export const currentSession = cache(async (): Promise<BrowserSession | undefined> => {
  const incoming = await headers()
  return sessionFromCookies(incoming.get('cookie') ?? undefined, visitorFrom(incoming))
})

/**
 * The same, for a page that only makes sense to a person.
 * @param returnTo the page's own path, where the person comes back to after signing in
 */
export async function requireSession(returnTo: string): Promise<BrowserSession> {
  return (await currentSession()) ?? redirect(signInPath(returnTo))
}
