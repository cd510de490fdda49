import { statement } from '@/lib/base/db/statement'
import { isId } from '@/lib/policy/require'

/** The types that an id can name, with the table of each. Ids are UUIDs, so that no two tables share one. */
const tables = {
  Workspace: 'workspaces',
  Project: 'projects',
  Environment: 'environments',
  Variable: 'variables',
  ApiToken: "api_tokens WHERE kind <> 'PROJECT'",
  ProjectToken: "api_tokens WHERE kind = 'PROJECT'",
  AuthorizedApp: 'authorizations',
  Webhook: 'webhooks',
  WebhookDelivery: 'webhook_deliveries',
  WorkspaceInvitation: 'invitations',
  AuditLog: 'audit_events',
  Notification: 'notifications',
  SshPublicKey: 'ssh_public_keys',
  Session: 'sessions',
  User: 'users',
}

/** A type whose rows can be asked for by their ids alone. */
export type NodeType = keyof typeof tables | 'OAuthApp'

const findAmong = statement<{ id: string; type: NodeType }, [ids: readonly string[]]>(
  'find-node-types',
  Object.entries(tables)
    .map(([type, table]) => {
      const from = table.includes(' WHERE ') ? `${table} AND` : `${table} WHERE`
      return `SELECT id, '${type}' AS type FROM ${from} id = ANY ($1::uuid[])`
    })
    .join(' UNION ALL '),
)

/**
 * Which type each of several ids names, whether the caller may know of it or not. One statement, which looks the ids up in
 * the key of each table. A client id says by its form what it is.
 */
export async function findTypes(ids: readonly string[]): Promise<Map<string, NodeType>> {
  const types = new Map<string, NodeType>()
  for (const id of ids) if (id.startsWith('lk_app_')) types.set(id, 'OAuthApp')
  const uuids = ids.filter(isId)
  if (uuids.length > 0) for (const { id, type } of await findAmong(uuids)) types.set(id, type)
  return types
}
