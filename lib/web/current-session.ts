import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { Visitor } from '@/lib/people/visitor'
import { addressFromHeaders } from './client-address'
import { signInPath } from './safe-next'
import { type BrowserSession, sessionFromCookies } from './session'

/** Where a request comes from, for limits and records. */
export const visitorFrom = (from: Headers): Visitor => ({
  ip: addressFromHeaders(from),
  userAgent: from.get('user-agent') ?? undefined,
})

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
