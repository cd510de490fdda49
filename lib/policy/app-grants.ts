import { isId } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { admittedInstallation } from './app-policy'
import { allowedTo, keptOutBy, ownedBy } from './app-status'
import { speaksForAccount } from './required-sso'
import { scopesUnder, worthUnder } from './scopes'

/** What an SSO-managed app can do now for a user. See ADR 0031. */
export type ManagedAccess = {
  id: string
  clientId: string
  appWorkspaceId: string | null
  workspaceId: string
  /** The most it may do there, as an admin chose. */
  scopes: string[]
  userId: string
  userName: string
  email: string
  avatarUrl: string | null
}

/** Who is behind a token, and by whose word: kept with it, and asked for at every use. */
export type ManagedGrant = {
  managedAppId: string
  userId: string
  issuer: string
  /** How the person signed in there (RFC 8176). */
  methods: string[]
}

/**
 * SQL: for whom which apps may act now through SSO, as the tables `m` (managed_apps), `ip` (the
 * provider), `c` (the app), `wm` and `u` (the person as a member). Asked at every use, and wherever a page names such an app or person.
 */
export const managedNow = `managed_apps m
     JOIN workspace_identity_providers ip ON ip.workspace_id = m.workspace_id
     JOIN oauth_clients c ON c.id = m.client_id AND c.disabled_at IS NULL
     JOIN workspace_members wm ON wm.workspace_id = m.workspace_id
     JOIN users u ON u.id = wm.user_id AND u.suspended_at IS NULL AND ${speaksForAccount('ip', 'u')}
      AND NOT EXISTS (SELECT FROM workspace_apps wa WHERE wa.workspace_id = m.workspace_id AND wa.client_id = m.client_id AND wa.decision = 'BLOCKED')
      AND ${keptOutBy('c', 'u.id')} IS NULL`

const readManagedAccess = statement<
  ManagedAccess & { allowed: string[] },
  [id: string, userId: string, issuer: string]
>(
  'live-managed-access',
  `SELECT m.id, m.client_id AS "clientId", ${ownedBy('c')} AS "appWorkspaceId", m.workspace_id AS "workspaceId",
          COALESCE(m.scopes, '{}') AS scopes, COALESCE(c.allowed_scopes, '{}') AS allowed, u.id AS "userId", u.name AS "userName", u.email, u.avatar_url AS "avatarUrl"
     FROM ${managedNow}
    WHERE m.id = $1::uuid AND wm.user_id = $2::uuid AND ip.issuer = $3`,
  { connections: 'shared' },
)

/**
 * The access of an app as it is now. The provider taken away or another one set, its domain no longer proven, the app no
 * longer allowed, disabled or kept from the person, the person suspended, no member any more, an instance admin by now, or their address in another domain: there is none, from the next request on.
 * Its scopes are cut to what the app may ask for now.
 * @param clientId the app that asks; another's access is none
 */
export async function findManagedAccess(
  { managedAppId, userId, issuer }: Pick<ManagedGrant, 'managedAppId' | 'userId' | 'issuer'>,
  clientId: string,
): Promise<ManagedAccess | undefined> {
  const [found] =
    isId(managedAppId) && isId(userId) ? await readManagedAccess(managedAppId, userId, issuer) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...access } = found
  return { ...access, scopes: worthUnder(access.scopes, allowedTo(access.clientId, allowed)) }
}

/** A token of such an app, by its hash. */
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

/** An app as it is installed in a workspace, which lets it in now. */
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
  `SELECT i.id, i.client_id AS "clientId", ${ownedBy('c')} AS "appWorkspaceId", i.workspace_id AS "workspaceId",
          COALESCE(i.scopes, '{}') AS scopes,
          COALESCE(c.allowed_scopes, '{}') AS allowed,
          i.all_projects AS "allProjects", COALESCE(i.project_ids, '{}') AS "projectIds"
     FROM installations i JOIN workspaces w ON w.id = i.workspace_id
     JOIN oauth_clients c ON c.id = i.client_id AND c.disabled_at IS NULL
      AND (NOT c.in_development OR c.workspace_id = i.workspace_id)
    WHERE i.id = $1::uuid AND i.suspended_at IS NULL AND ${admittedInstallation('c.id', ownedBy('c'))}`,
  { connections: 'shared' },
)

/**
 * An installation as it is now. Uninstalled, suspended, gone with its workspace, its app disabled or in development elsewhere, blocked in the workspace or kept out by
 * its policy: there is none, from the next request on. Its scopes are cut to what the app may ask for now.
 * @param clientId the app that asks; another's installation is none
 */
export async function findInstallation(id: string, clientId: string): Promise<InstallationRow | undefined> {
  const [found] = isId(id) ? await readInstallation(id) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: worthUnder(row.scopes, allowed) }
}

/** A token that an app got without a user's consent: as an app installation, through SSO, or for itself alone. */
export type AppToken = {
  clientId: string
  /** Its scopes as issued, separated by spaces. */
  scope: string
  /** The app installation that it is for. */
  installationId?: string | undefined
  /** The SSO-managed access that it is for. */
  managed?: ManagedGrant | undefined
}

/**
 * Returns what such a token grants now: its scopes as far as the app installation or the SSO-managed access still has them. A
 * token that an app got for itself alone keeps its own, so there is no scope to replace it.
 * @returns the scopes, and the user that the app acts for; undefined if the installation or the access is gone
 */
export async function appTokenNow(token: AppToken): Promise<{ scope?: string; userId?: string } | undefined> {
  const { clientId, scope, installationId, managed } = token
  if (managed) {
    const access = await findManagedAccess(managed, clientId)
    return access && { scope: scopeUnder(scope, access.scopes), userId: managed.userId }
  }
  if (installationId === undefined) return {}
  const installation = await findInstallation(installationId, clientId)
  return installation && { scope: scopeUnder(scope, installation.scopes) }
}

const scopeUnder = (scope: string, allowed: readonly string[]): string =>
  scopesUnder(scope.split(' '), allowed).join(' ')
