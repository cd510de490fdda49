/**
 * The named writes that nobody loses access by, so that none of them has to wait for replicas: all others do, and so does
 * everything that Prisma writes. Not to be here costs milliseconds; to be here by mistake costs a revocation.
 */
const names = new Set([
  // What a token request writes: new tokens, and the credential that it used up, which is only ever read on the primary.
  'oauth-token-commit-plain',
  'oauth-token-commit-crowded',
  'oauth-token-delete',
  // What the engine stores anew.
  'oauth-artifact-write',
  'proof-remember',
  // A key of a request that may be sent twice: it is only ever read on the primary.
  'keyed-request-claim',
  'keyed-request-keep',
  'keyed-request-free',
  // An approval that was used up: whether it was is only ever read on the primary.
  'approval-use',
  // When something was last used, and how often.
  'session-touch',
  'settle-request-counts',
  'touch-api-tokens',
  'touch-authorizations',
  'touch-installations',
  'note-authorization-use',
  'forget-request-counts',
  'note-client-secret-use',
  'oauth-device-polls',
  'settle-app-usage',
  'settle-workspace-app-usage',
  'settle-app-events',
  'settle-figures',
  'app-sign-in-record',
  'note-replica',
  'forget-replica',
  // What was recorded, on its way to the operator's log, and what is queued.
  'app-sign-ins-queued',
  'audit-streams-due',
  'audit-stream-hold',
  'audit-stream-move-on',
  'audit-stream-let-go',
])

/** Whether a named write takes access from nobody. */
export const takesNothing = (name: string): boolean => names.has(name)

/** For the test that holds each to a statement that there is. */
export const namesThatTakeNothing: ReadonlySet<string> = names
