import type { StoredPurpose } from '@/lib/base/credentials/seal'

/** A column whose values are sealed. */
export type SealedColumn = {
  table: string
  /** The primary key, and its type. */
  key: string
  keyType: 'uuid' | 'text' | 'bytea'
  column: string
  purpose: StoredPurpose
}

const column = (
  purpose: StoredPurpose,
  table: string,
  name: string,
  key = 'id',
  keyType: SealedColumn['keyType'] = 'uuid',
): SealedColumn => ({ purpose, table, column: name, key, keyType })

/**
 * Every column that is sealed, by what it is sealed for. Whoever seals something new says here where it lies: the compiler
 * asks for each purpose, and a test for each column of bytes in the schema.
 */
const byPurpose: Record<StoredPurpose, readonly SealedColumn[]> = {
  'signing-key': [column('signing-key', 'signing_keys', 'sealed_private', 'kid', 'text')],
  'former-key': [column('former-key', 'former_keys', 'sealed', 'fingerprint', 'bytea')],
  totp: [column('totp', 'totp_secrets', 'sealed', 'user_id')],
  'identity-provider': [
    column('identity-provider', 'workspace_identity_providers', 'sealed_secret', 'workspace_id'),
  ],
  'webhook-secret': [
    column('webhook-secret', 'webhooks', 'sealed_secret'),
    column('webhook-secret', 'webhooks', 'sealed_previous_secret'),
  ],
  'audit-stream-secret': [
    column('audit-stream-secret', 'audit_streams', 'sealed_secret', 'place_id'),
    column('audit-stream-secret', 'audit_streams', 'sealed_previous_secret', 'place_id'),
  ],
  variable: [
    column('variable', 'variables', 'sealed_value'),
    column('variable', 'deleted_variables', 'sealed_value'),
  ],
}

/** All of them, those that everything depends on first. */
export const sealedColumns: readonly SealedColumn[] = Object.values(byPurpose).flat()
