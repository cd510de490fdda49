import { packedStatement, readByKey } from '@/lib/base/db/statements'
import { allowedTo, keptOutBy, ownedBy } from './app-status'
import { isId } from './require'
import { speaksForAccount } from './required-sso'
import { worthUnder } from './scopes'

/** What an app may do now for a person by the word of a workspace's identity provider. See decision 219. */
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
 * SQL: for whom which apps may act now by the word of a workspace's identity provider, as the tables `m` (managed_apps), `ip` (the
 * provider), `c` (the app), `wm` and `u` (the person as a member). Asked at every use, and wherever a page names such an app or person.
 */
export const managedNow = `managed_apps m
     JOIN workspace_identity_providers ip ON ip.workspace_id = m.workspace_id
     JOIN oauth_clients c ON c.id = m.client_id AND c.disabled_at IS NULL
     JOIN workspace_members wm ON wm.workspace_id = m.workspace_id
     JOIN users u ON u.id = wm.user_id AND u.suspended_at IS NULL AND ${speaksForAccount('ip', 'u')}
      AND NOT EXISTS (SELECT FROM workspace_apps wa WHERE wa.workspace_id = m.workspace_id AND wa.client_id = m.client_id AND wa.decision = 'BLOCKED')
      AND ${keptOutBy('c', 'u.id')} IS NULL`

const find = readByKey<ManagedAccess & { allowed: string[] }, [id: string, userId: string, issuer: string]>(
  'live-managed-access',
  `SELECT m.id, m.client_id AS "clientId", ${ownedBy('c')} AS "appWorkspaceId", m.workspace_id AS "workspaceId",
          COALESCE(m.scopes, '{}') AS scopes, COALESCE(c.allowed_scopes, '{}') AS allowed, u.id AS "userId", u.name AS "userName", u.email, u.avatar_url AS "avatarUrl"
     FROM ${managedNow}
    WHERE m.id = $1::uuid AND wm.user_id = $2::uuid AND ip.issuer = $3`,
)

/**
 * The access of an app as it is now. The provider taken away or another one set, its domain no longer proven, the app no
 * longer allowed, disabled or kept from the person, the person suspended, no member any more, an operator by now, or their address in another domain: there is none, from the next request on.
 * Its scopes are cut to what the app may ask for now.
 * @param clientId the app that asks; another's access is none
 */
export async function findManagedAccess(
  { managedAppId, userId, issuer }: Pick<ManagedGrant, 'managedAppId' | 'userId' | 'issuer'>,
  clientId: string,
): Promise<ManagedAccess | undefined> {
  const [found] = isId(managedAppId) && isId(userId) ? await find(managedAppId, userId, issuer) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...access } = found
  return { ...access, scopes: worthUnder(access.scopes, allowedTo(access.clientId, allowed)) }
}

/** A token of such an app, by its hash. */
export const findManagedToken = packedStatement<
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
  {
    clientId: `t.payload->'clientId'`,
    managed: `t.payload->'managed'`,
    tokenScope: `t.payload->'scope'`,
    audience: `t.payload->'aud'`,
    boundTo: `t.payload->'jkt'`,
  },
  `FROM ONLY oauth_artifacts t
  WHERE t.hash = $1 AND t.model = 'ClientCredentials' AND t.expires_at > now()`,
)
