import { clientSource } from '../engine/client-source'
import { toClientMetadata } from '../store/client-record'
import type { ClientRow } from '../store/clients-by-version'

/** Metadata that decides about tokens, and the value with which it asks for nothing special. */
const plainValues: Record<string, unknown> = {
  token_endpoint_auth_method: 'none',
  subject_type: 'public',
  dpop_bound_access_tokens: false,
}

/** Metadata that has no say at the token endpoint. */
const indifferent = new Set([
  'application_type',
  'backchannel_logout_session_required',
  'backchannel_logout_uri',
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_uri',
  'contacts',
  'grant_types',
  'id_token_signed_response_alg',
  'jwks',
  'jwks_uri',
  'logo_uri',
  'policy_uri',
  'post_logout_redirect_uris',
  'redirect_uris',
  'request_object_signing_alg',
  'require_auth_time',
  'require_pushed_authorization_requests',
  'require_signed_request_object',
  'response_types',
  'software_id',
  'software_version',
  'tos_uri',
])

const known = new WeakMap<ClientRow, boolean>()

/**
 * Whether a client is public and its registration asks for nothing that the plain grants leave to the engine. Metadata
 * that nobody has thought of here makes it no plain client.
 */
export function isPlainClient(row: ClientRow): boolean {
  const decided = known.get(row) ?? decide(row)
  known.set(row, decided)
  return decided
}

function decide(row: ClientRow): boolean {
  if (row.type !== 'NATIVE' || row.source === 'METADATA_DOCUMENT') return false
  if (clientSource(row.id) === 'METADATA_DOCUMENT') return false
  return Object.entries(toClientMetadata(row)).every(([name, value]) =>
    name in plainValues ? plainValues[name] === value : indifferent.has(name),
  )
}

/** Whether a client may use a grant type. */
export const allowsGrant = (row: ClientRow, type: string): boolean =>
  toClientMetadata(row).grant_types?.includes(type) === true

/** What a client's id_tokens are signed with. */
export const idTokenAlg = (row: ClientRow): string =>
  String(toClientMetadata(row).id_token_signed_response_alg)
