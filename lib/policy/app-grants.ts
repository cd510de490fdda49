import { isId } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { admittedInstallation } from './app-policy'
import { allowedTo, owningWorkspace, unavailableReason } from './app-status'
import { coversAccount } from './required-sso'
import { effectiveScopes, limitScopes } from './scopes'
import { hasTwoFactors, owesTwoFactor } from './two-factor'

/** An SSO-managed app's current access on behalf of a user. See ADR 0024. */
export type ManagedAccess = {
  id: string
  clientId: string
  appWorkspaceId: string | null
  workspaceId: string
  /** The scopes that a workspace admin allows the app. */
  scopes: string[]
  userId: string
  userName: string
  email: string
  avatarUrl: string | null
}

/**
 * The SSO-managed access that a token belongs to, with its user and SSO connection. Stored with the token and
 * checked at every use.
 */
export type ManagedGrant = {
  managedAppId: string
  userId: string
  issuer: string
  /** The authentication methods that the identity provider reported (RFC 8176). */
  methods: string[]
}

/**
 * SQL: the SSO-managed apps that currently have access, and their users. The tables are `m` (managed_apps),
 * `ip` (the provider), `c` (the app), and `wm` and `u` (the user as a member). Every use of an SSO-managed
 * app's token and every list of such an app's users checks these conditions.
 */
export const currentManagedAccess = `managed_apps m
     JOIN workspace_identity_providers ip ON ip.workspace_id = m.workspace_id
     JOIN oauth_clients c ON c.id = m.client_id AND c.disabled_at IS NULL
     JOIN workspace_members wm ON wm.workspace_id = m.workspace_id
     JOIN users u ON u.id = wm.user_id AND u.suspended_at IS NULL AND ${coversAccount('ip', 'u')}
      AND NOT EXISTS (SELECT FROM workspace_apps wa WHERE wa.workspace_id = m.workspace_id AND wa.client_id = m.client_id AND wa.decision = 'BLOCKED')
      AND ${unavailableReason('c', 'u.id')} IS NULL`

const readManagedAccess = statement<
  ManagedAccess & { allowed: string[] },
  [id: string, userId: string, issuer: string]
>(
  'live-managed-access',
  `SELECT m.id, m.client_id AS "clientId", ${owningWorkspace('c')} AS "appWorkspaceId", m.workspace_id AS "workspaceId",
          COALESCE(m.scopes, '{}') AS scopes, COALESCE(c.allowed_scopes, '{}') AS allowed, u.id AS "userId", u.name AS "userName", u.email, u.avatar_url AS "avatarUrl"
     FROM ${currentManagedAccess}
    WHERE m.id = $1::uuid AND wm.user_id = $2::uuid AND ip.issuer = $3`,
  { connections: 'shared' },
)

/**
 * Returns an SSO-managed app's current access, or undefined if the connection, the app, or the user no longer
 * meets the conditions in `currentManagedAccess`, or if the connection has another issuer than `issuer`. The
 * scopes are limited to those that the app can currently request.
 * @param clientId the requesting app; another app's access is not returned
 */
export async function findManagedAccess(
  { managedAppId, userId, issuer }: Pick<ManagedGrant, 'managedAppId' | 'userId' | 'issuer'>,
  clientId: string,
): Promise<ManagedAccess | undefined> {
  const [found] =
    isId(managedAppId) && isId(userId) ? await readManagedAccess(managedAppId, userId, issuer) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...access } = found
  return { ...access, scopes: limitScopes(access.scopes, allowedTo(access.clientId, allowed)) }
}

/**
 * Finds an SSO-managed app's token by its hash, unless the token has expired. `managed` is null if the token
 * does not belong to an SSO-managed app.
 */
export const findManagedToken = statement<
  {
    clientId: string
    managed: ManagedGrant | null
    tokenScope: string | null
    audience: string | string[] | null
    boundTo: string | null
  },
  [Buffer]
>(
  'bearer-managed-token',
  `FROM ONLY oauth_artifacts t
  WHERE t.hash = $1 AND t.model = 'ClientCredentials' AND t.expires_at > now()`,
  {
    connections: 'shared',
    json: {
      clientId: `t.payload->'clientId'`,
      managed: `t.payload->'managed'`,
      tokenScope: `t.payload->'scope'`,
      audience: `t.payload->'aud'`,
      boundTo: `t.payload->'jkt'`,
    },
  },
)

/** An active app installation in a workspace that allows the app. */
export type InstallationRow = {
  id: string
  clientId: string
  appWorkspaceId: string | null
  workspaceId: string
  scopes: string[]
  allProjects: boolean
  projectIds: string[]
}

const readInstallation = statement<InstallationRow & { allowed: string[] }, [id: string]>(
  'live-installation',
  `SELECT i.id, i.client_id AS "clientId", ${owningWorkspace('c')} AS "appWorkspaceId", i.workspace_id AS "workspaceId",
          COALESCE(i.scopes, '{}') AS scopes,
          COALESCE(c.allowed_scopes, '{}') AS allowed,
          i.all_projects AS "allProjects",
          ARRAY(SELECT p.id FROM projects p
                 WHERE NOT i.all_projects AND p.id = ANY (i.project_ids)
                   AND p.workspace_id = i.workspace_id) AS "projectIds"
     FROM installations i JOIN workspaces w ON w.id = i.workspace_id
     JOIN oauth_clients c ON c.id = i.client_id AND c.disabled_at IS NULL
      AND (NOT c.in_development OR c.workspace_id = i.workspace_id)
    WHERE i.id = $1::uuid AND i.suspended_at IS NULL AND ${admittedInstallation('c.id', owningWorkspace('c'))}`,
  { connections: 'shared' },
)

/**
 * Returns an app installation, or undefined if it was uninstalled or suspended, if its app is disabled or in
 * development in another workspace, or if the workspace has blocked the app or its app policy excludes the
 * app. The scopes are limited to those that the app can currently request, and the projects to those that are
 * still in the workspace.
 * @param clientId the requesting app; another app's installation is not returned
 */
export async function findInstallation(id: string, clientId: string): Promise<InstallationRow | undefined> {
  const [found] = isId(id) ? await readInstallation(id) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: limitScopes(row.scopes, allowed) }
}

/**
 * A token that was issued to an app without a user's consent: for an app installation, through SSO, or only
 * for the app itself.
 */
export type AppToken = {
  clientId: string
  /** The scopes as issued, separated by spaces. */
  scope: string
  /** The ID of the app installation that the token is for. Undefined for other tokens. */
  installationId?: string | undefined
  /** The SSO-managed access that the token is for. Undefined for other tokens. */
  managed?: ManagedGrant | undefined
}

/**
 * Returns the current limits of an app's token. The scopes are limited to those that the app installation or
 * the SSO-managed access still has. A token that represents only the app keeps its scopes, so the result
 * contains no scopes.
 * @returns the scopes, separated by spaces, and for SSO-managed access the ID of the user on whose behalf the
 * app acts; undefined if `findInstallation` or `findManagedAccess` finds nothing, or if the token lacks the
 * 2FA that the instance requires of all users
 */
export async function appTokenNow(token: AppToken): Promise<{ scope?: string; userId?: string } | undefined> {
  const { clientId, scope, installationId, managed } = token
  if (managed) {
    if (owesTwoFactor({ twoFactor: hasTwoFactors(managed.methods) }, 'anything')) return undefined
    const access = await findManagedAccess(managed, clientId)
    return access && { scope: scopeUnder(scope, access.scopes), userId: managed.userId }
  }
  if (installationId === undefined) return {}
  const installation = await findInstallation(installationId, clientId)
  return installation && { scope: scopeUnder(scope, installation.scopes) }
}

const scopeUnder = (scope: string, allowed: readonly string[]): string =>
  effectiveScopes(scope.split(' '), allowed).join(' ')
