import type { Role } from './scopes'

/**
 * The caller of a domain function: a user, a token, or an app. Only two modules create actors:
 * find-live-session.ts from a browser session, and bearer.ts from a token. A caller that acts for a user has
 * the rights of the user's current roles, up to the token's limits.
 */
export type Actor = UserActor | InstallationActor

/** A user in a browser session, or a token that acts for a user. */
export type UserActor =
  | SessionActor
  | AccountTokenActor
  | WorkspaceTokenActor
  | ProjectTokenActor
  | OAuthActor

type Origin = {
  /** The client's IP address. */
  ip?: string
  /** The client's User-Agent header. */
  userAgent?: string
  /**
   * The /mcp tool that sent the request, and the names of its arguments. Used for the audit log and for rules
   * about tools.
   */
  tool?: { name: string; arguments: string[] }
}

type User = Origin & {
  /** The ID of the user who acts or whom the token represents. */
  userId: string
  /**
   * Whether two-factor authentication was used in the session, or in the session that created the token or
   * authorized the app. For an SSO-managed app, whether the identity provider reported two-factor
   * authentication. Undefined means the same as false.
   */
  twoFactor?: boolean
}

export type SessionActor = User & {
  kind: 'session'
  sessionId: string
  instanceAdmin: boolean
}
export type AccountTokenActor = User & {
  kind: 'account-token'
  tokenId: string
  /**
   * The highest role that the token can have anywhere. Only a token with the ADMIN role can manage the
   * account.
   */
  role: Role
}
type WorkspaceTokenActor = User & {
  kind: 'workspace-token'
  tokenId: string
  workspaceId: string
  role: Role
}
type ProjectTokenActor = User & {
  kind: 'project-token'
  tokenId: string
  projectId: string
  /** The only environment that the token can access. Undefined or null if it can access the whole project. */
  environmentId?: string | null
  role: Role
}
export type OAuthActor = User &
  GrantedScopes & {
    kind: 'oauth'
    clientId: string
    /**
     * The workspace that owns the app. Undefined or null for a self-registered app and while a transfer of
     * the app is unfinished.
     */
    appWorkspaceId?: string | null
    /** The ID of the authorization that the user granted the app. Null for an SSO-managed app. */
    authorizationId: string | null
    /**
     * The app's current operation, which `requireApproval` checks. lib/edges/graphql sets it for each
     * operation.
     */
    operation?: Operation
  }

/**
 * An app's current operation: a read, or one mutation with its coerced arguments. A new object is created for
 * each request and for each mutation in a request, because `requireApproval` caches its results by object.
 * For `resolved`, see `bindApproval`.
 */
export type Operation =
  | { kind: 'read' }
  | {
      kind: 'change'
      name: string
      args: Readonly<Record<string, unknown>>
      resolved?: Readonly<Record<string, string>>
    }

/** The effective scopes of an app's token, and the IDs of the selected workspaces and projects. */
type GrantedScopes = {
  scopes: ReadonlySet<string>
  workspaceIds: readonly string[]
  projectIds: readonly string[]
}

/**
 * An app that acts without a user. In a workspace that installed the app, it has a member's rights, capped by
 * its scopes and selection, and is never an admin. See ADR 0020.
 */
export type InstallationActor = Origin &
  GrantedScopes & {
    kind: 'installation'
    userId: null
    clientId: string
    appWorkspaceId: string | null
    /**
     * The ID of the installation. Null, like `workspaceId`, for a token that represents only the app and
     * cannot access any workspace.
     */
    installationId: string | null
    workspaceId: string | null
    /** Always true, because no user signs in, so two-factor rules do not apply. */
    twoFactor: true
  }

/** Returns an app's client ID or an API token's ID, or undefined for a browser session. */
export const actorHandle = (actor: Actor): string | undefined =>
  'clientId' in actor ? actor.clientId : actor.kind === 'session' ? undefined : actor.tokenId

/** Returns whether an actor is an app, with or without a user. Only apps have scopes. */
export const isApp = (actor: Actor): actor is OAuthActor | InstallationActor => 'clientId' in actor
