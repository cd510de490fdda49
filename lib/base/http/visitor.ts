import { addressFromHeaders } from './client-address'

/** Someone at the door, not yet known: where a sign-in or sign-up comes from, for limits, sessions and the audit log. */
export type Visitor = {
  /** The client's address, as ./client-address sees it. */
  ip?: string
  userAgent?: string
}

/** The visitor who sent a request, for limits and records. @param from its headers */
export const visitorFrom = (from: Headers): Visitor => ({
  ip: addressFromHeaders(from),
  userAgent: from.get('user-agent') ?? undefined,
})
