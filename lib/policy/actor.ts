import type { Role } from './scopes'

/**
 * Who asks, and through what: the first parameter of every domain function.
 * Built in two places only: from a browser session (lib/features/identity/sessions/find-live-session) and from a bearer token
 * (lib/policy/bearer).
 * A right is always the person's current role, capped by what the token allows.
 */
export type Actor = PersonActor | InstallationActor

/** Somebody, or a token that acts for them. */
export type PersonActor =
  | SessionActor
  | AccountTokenActor
  | WorkspaceTokenActor
  | ProjectTokenActor
  | OAuthActor

type Origin = {
  /** Where the request came from, for the audit log. */
  ip?: string
  userAgent?: string
  /** The tool of /mcp through which it is asked, and the names of what it was given: for the audit log, and what no tool may do. */
  tool?: { name: string; arguments: string[] }
}

type Person = Origin & {
  /** The person acting, or for whom the token acts. */
  userId: string
  /**
   * Whether two factors were shown in the session that acts, or in the one that made the token or let the app in: nothing
   * is stronger than the session it comes from. Absent counts as one factor.
   */
  twoFactor?: boolean
}

export type SessionActor = Person & {
  kind: 'session'
  sessionId: string
  instanceAdmin: boolean
}
export type AccountTokenActor = Person & {
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
export type OAuthActor = Person &
  Given & {
    kind: 'oauth'
    clientId: string
    /** The workspace that runs the app; none for one that registered itself. */
    appWorkspaceId?: string | null
    /** What the user authorized for the app; null for an SSO-managed app. */
    authorizationId: string | null
    /** What the app is doing at the moment, for `requireApproval`. The edge sets it for each operation. */
    operation?: Operation
  }

/**
 * What an app is doing: reading, or one mutation with its coerced arguments. The object is new for every request and every mutation
 * in it. `resolved`: see `bindApproval`.
 */
export type Operation =
  | { kind: 'read' }
  | {
      kind: 'change'
      name: string
      args: Readonly<Record<string, unknown>>
      resolved?: Readonly<Record<string, string>>
    }

/** What an app was given, by a person or by a workspace: scopes, and on what. */
type Given = {
  scopes: ReadonlySet<string>
  workspaceIds: readonly string[]
  projectIds: readonly string[]
}

/**
 * An app that acts for a workspace that installed it, with nobody behind it. It stands there like a member, capped by its
 * scopes and selection, and is never an admin. See ADR 0026.
 */
export type InstallationActor = Origin &
  Given & {
    kind: 'installation'
    userId: null
    clientId: string
    appWorkspaceId: string | null
    /** The installation and its workspace; null where the app asks for itself alone, which reaches no workspace. */
    installationId: string | null
    workspaceId: string | null
    /** Nobody signs in, so nobody is asked for a second factor: the admin who installed it had entered. */
    twoFactor: true
  }

/** The token or client through which an actor acts; undefined for a browser session. */
export const actorHandle = (actor: Actor): string | undefined =>
  'clientId' in actor ? actor.clientId : actor.kind === 'session' ? undefined : actor.tokenId

/** Whether an actor is an app, which has scopes: somebody's, or installed into a workspace. */
export const isApp = (actor: Actor): actor is OAuthActor | InstallationActor => 'clientId' in actor
