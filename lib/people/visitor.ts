/** Someone at the door, not yet known: where a sign-in or sign-up comes from, for limits, sessions and the audit log. */
export type Visitor = {
  /** The client's address, as lib/web/client-address sees it. */
  ip?: string
  userAgent?: string
}
