/**
 * A table's placement in a database that Citus distributes (docs/operate/citus.md).
 * - `reference`: on every node, so that it can be joined with any shard. Every write goes to all nodes.
 * - `{ by }`: in shards on the workers. The hash of the column `by` determines the shard of a row.
 * - `local`: on the coordinator only.
 */
export type Place = 'reference' | 'local' | { by: string }

/**
 * The placement of every table. A test requires an entry for each table in the schema. Reference tables are
 * the tables that frequent queries join with a token. Each reference table is listed after the tables that it
 * references. See ADR 0039.
 */
export const tableLayout: Record<string, Place> = {
  users: 'reference',
  workspaces: 'reference',
  workspace_identity_providers: 'reference',
  oauth_clients: 'reference',
  oauth_client_secrets: 'reference',
  authorizations: 'reference',
  apis: 'reference',
  api_grants: 'reference',
  oauth_artifacts: { by: 'hash' },
  api_credentials: 'local',
  api_scopes: 'local',
  api_tokens: 'local',
  app_domains: 'local',
  app_events: 'local',
  app_failures: 'local',
  app_offers: 'local',
  app_sign_ins: 'local',
  app_usage: 'local',
  asks: 'local',
  audit_events: 'local',
  audit_streams: 'local',
  audit_waiting: 'local',
  changed_settings: 'local',
  database_readers: 'local',
  deleted_projects: 'local',
  deleted_variable_changes: 'local',
  deleted_variables: 'local',
  deleted_workspaces: 'local',
  email_tokens: 'local',
  environments: 'local',
  factor_asks: 'local',
  figures: 'local',
  former_keys: 'local',
  identities: 'local',
  installations: 'local',
  invitations: 'local',
  keyed_requests: 'local',
  managed_apps: 'local',
  managed_uses: 'local',
  notification_rules: 'local',
  notifications: 'local',
  outbox_mails: 'local',
  passkeys: 'local',
  pending_sign_ins: 'local',
  pictures: 'local',
  project_members: 'local',
  projects: 'local',
  rate_limits: 'local',
  recovery_codes: 'local',
  removed_members: 'local',
  replicas: 'local',
  request_counts: 'local',
  sessions: 'local',
  signing_keys: 'local',
  ssh_public_keys: 'local',
  totp_secrets: 'local',
  variable_changes: 'local',
  variables: 'local',
  webauthn_challenges: 'local',
  webhook_deliveries: 'local',
  webhooks: 'local',
  workspace_app_projects: 'local',
  workspace_app_requests: 'local',
  workspace_app_usage: 'local',
  workspace_apps: 'local',
  workspace_members: 'local',
}

export const referenceTables: readonly string[] = Object.keys(tableLayout).filter(
  (table) => tableLayout[table] === 'reference',
)

/** The distributed tables with their distribution columns. */
export const distributedTables: readonly { table: string; by: string }[] = Object.entries(
  tableLayout,
).flatMap(([table, place]) => (typeof place === 'object' ? [{ table, ...place }] : []))

/**
 * The triggers to drop, because reference tables cannot have triggers. Application code does the same work
 * (ADR 0039).
 */
export const droppedTriggers: readonly { table: string; trigger: string }[] = [
  { table: 'workspaces', trigger: 'workspaces_note_deleted' },
]

/**
 * The function that commits a token request. Citus runs this function on the node that stores the credential
 * that is passed as the first argument.
 */
export const commitFunction = {
  name: 'commit_token_request',
  signature:
    'commit_token_request(bytea, boolean, bytea, bytea, bytea, text, jsonb, float8, bytea, text, jsonb, float8)',
  by: 'source',
  beside: 'oauth_artifacts',
} as const
