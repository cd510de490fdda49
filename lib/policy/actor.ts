import type { Role } from './roles'

/**
 * Who asks, and through what: the first parameter of every domain function.
 * Built in two places only: from a browser session (lib/features/identity/browser-session/session) and from a bearer token
 * (lib/policy/bearer).
 * A right is always the person's current role, capped by what the token allows.
 */
export type Actor = SessionActor | AccountTokenActor | WorkspaceTokenActor | ProjectTokenActor | OAuthActor

type Person = {
  /** The person acting, or for whom the token acts. */
  userId: string
  /**
   * Whether two factors were shown in the session that acts, or in the one that made the token or let the app in: nothing
   * is stronger than the session it comes from. Absent counts as one factor.
   */
  twoFactor?: boolean
  /** Where the request came from, for the audit log. */
  ip?: string
  userAgent?: string
}

export type SessionActor = Person & {
  kind: 'session'
  sessionId: string
  instanceAdmin: boolean
}
type AccountTokenActor = Person & {
  kind: 'account-token'
  tokenId: string
  /** The most it may do anywhere; ADMIN is no limit, and such a token alone speaks for the account itself. */
  role: Role
}
type WorkspaceTokenActor = Person & {
  kind: 'workspace-token'
  tokenId: string
  workspaceId: string
  role: Role
}
type ProjectTokenActor = Person & {
  kind: 'project-token'
  tokenId: string
  projectId: string
  /** The one environment of the project that it reaches; absent or null for all of them. */
  environmentId?: string | null
  role: Role
}
export type OAuthActor = Person & {
  kind: 'oauth'
  clientId: string
  /** The workspace that runs the app; none for one that registered itself. */
  appWorkspaceId?: string | null
  authorizationId: string
  scopes: ReadonlySet<string>
  workspaceIds: readonly string[]
  projectIds: readonly string[]
}

/** The token or client through which an actor acts; undefined for a browser session. */
export const actorHandle = (actor: Actor): string | undefined =>
  actor.kind === 'oauth' ? actor.clientId : actor.kind === 'session' ? undefined : actor.tokenId
