/** A table that an export holds. */
export type TransferredTable = {
  name: string
  /** Which of its rows; all of them unless it is said. */
  where?: string
}

const table = (name: string, where?: string): TransferredTable => ({ name, ...(where ? { where } : {}) })

/**
 * What an export holds, each table after those that it refers to. What is left out is over within days, or a record of
 * what has happened (transfer.db.test.ts names each).
 * See decision 117.
 */
export const transferredTables: readonly TransferredTable[] = [
  table('changed_settings'),
  table('signing_keys'),
  table('former_keys'),
  table('users'),
  table('identities'),
  table('passkeys'),
  table('totp_secrets'),
  table('recovery_codes'),
  table('ssh_public_keys'),
  table('workspaces'),
  table('workspace_members'),
  table('removed_members'),
  table('notification_rules'),
  table('audit_streams'),
  table('projects'),
  table('project_members'),
  table('environments'),
  table('variables'),
  table('variable_changes'),
  table('invitations'),
  table('oauth_clients'),
  table('oauth_client_secrets'),
  table('app_domains'),
  table('webhooks'),
  table('workspace_apps'),
  table('workspace_app_projects'),
  table('workspace_app_requests'),
  table('installations'),
  table('workspace_identity_providers'),
  table('managed_apps'),
  table('managed_uses'),
  table('pictures'),
  table('authorizations'),
  table('api_tokens'),
  // What apps hold for months: their own access ends within the hour, and they fetch a new one.
  table('oauth_artifacts', `model IN ('RefreshToken', 'RegistrationAccessToken') AND expires_at > now()`),
]
