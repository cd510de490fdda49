import { LRUCache } from 'lru-cache'
import { readByKey } from '@/lib/base/db/statements'
import { graceIsOver } from '@/lib/policy/app-status'

/** A client as it is stored. Its objects are shared between requests and never changed. */
export type ClientRow = {
  id: string
  source: 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT'
  type: 'WEB' | 'NATIVE'
  name: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  homepageUrl: string | null
  logoUrl: string | null
  requirePushedAuthorization: boolean
  metadata: Record<string, unknown>
  disabled: boolean
  /** It says with which scopes it can be installed into workspaces. */
  installable: boolean
  /** The scopes it may ask for; none where everything is allowed. */
  allowedScopes: string[]
  inDevelopment: boolean
  workspaceId: string | null
  createdAt: number
}

/**
 * SQL: what distinguishes two versions of a client's row `c`. Every statement that changes a client increments `version`; the
 * previous release, which does not, changes `updated_at`. `disabled_at` and the end of a transfer's grace period count separately, so
 * they take effect immediately.
 * See decision 155.
 */
export const clientVersion = `concat(c.version, ' ', c.updated_at, ' ', c.disabled_at, ' ', ${graceIsOver('c')})`

const readClient = readByKey<ClientRow & { version: string }, [string]>(
  'oauth-client',
  `SELECT ${clientVersion} AS version, c.id, c.source, c.type, c.name, c.redirect_uris AS "redirectUris",
          c.post_logout_redirect_uris AS "postLogoutRedirectUris", c.homepage_url AS "homepageUrl",
          c.logo_url AS "logoUrl", c.require_pushed_authorization AS "requirePushedAuthorization", c.metadata,
          c.disabled_at IS NOT NULL OR ${graceIsOver('c')} AS disabled, COALESCE(cardinality(c.install_scopes), 0) > 0 AS installable,
          COALESCE(c.allowed_scopes, '{}') AS "allowedScopes",
          c.in_development AS "inDevelopment", c.workspace_id AS "workspaceId",
          floor(extract(epoch FROM c.created_at))::int AS "createdAt"
     FROM oauth_clients c WHERE c.id = $1`,
)

/** How many clients a process keeps. A client's metadata has at most a few KB. */
const keptClients = 1_000
const kept = new LRUCache<string, { version: string; row: ClientRow }>({ max: keptClients })

/**
 * A client in the version that its row has now. Every request reads the version, so a change counts with the next one; the
 * row itself is read again only then. As long as nothing changes it is the same object, and what is made of it can be
 * kept with it (models/client-instances).
 * @returns null when it was deleted a moment ago
 */
export async function clientOfVersion(id: string, version: string): Promise<ClientRow | null> {
  const known = kept.get(id)
  if (known?.version === version) return known.row
  const [found] = await readClient(id)
  if (!found) return null
  const { version: current, ...row } = found
  kept.set(id, { version: current, row })
  return row
}
