import { statement } from '@/lib/db/statement'
import { parseClient } from './client-record'

/**
 * Everything one OAuth request needs to know, read by one joined statement: the client and its secrets, the credential
 * it presented, the authorization behind that and the person who gave it. Whatever is absent is null.
 */
export type Snapshot = {
  client: ClientRow | null
  secrets: { id: string; hash: string }[]
  artifact: ArtifactRow | null
  authorization: AuthorizationRow | null
  person: PersonRow | null
}

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
  createdAt: number
}

export type ArtifactRow = {
  hash: Buffer
  model: string
  authorizationId: string | null
  family: Buffer | null
  payload: Record<string, unknown>
  consumedAt: Date | null
  replay: Buffer | null
}

export type AuthorizationRow = {
  id: string
  userId: string
  clientId: string
  scopes: string[]
  payload: Record<string, unknown>
}

export type PersonRow = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  avatarUrl: string | null
  suspended: boolean
}

/** The columns of a client as the text of a JSON object. */
const clientJson = (alias: string) => `CASE WHEN ${alias}.id IS NULL THEN NULL ELSE json_build_object(
  'id', ${alias}.id, 'source', ${alias}.source, 'type', ${alias}.type, 'name', ${alias}.name,
  'redirectUris', ${alias}.redirect_uris, 'postLogoutRedirectUris', ${alias}.post_logout_redirect_uris,
  'homepageUrl', ${alias}.homepage_url, 'logoUrl', ${alias}.logo_url,
  'requirePushedAuthorization', ${alias}.require_pushed_authorization, 'metadata', ${alias}.metadata,
  'disabled', ${alias}.disabled_at IS NOT NULL, 'createdAt', floor(extract(epoch FROM ${alias}.created_at)))::text END`

const personJson = `CASE WHEN u.id IS NULL THEN NULL ELSE json_build_object('id', u.id, 'name', u.name, 'email', u.email,
  'emailVerified', u.email_verified_at IS NOT NULL, 'avatarUrl', u.avatar_url, 'suspended', u.suspended_at IS NOT NULL) END`

type Row = {
  client: string | null
  secrets: { id: string; hash: string }[] | null
  hash: Buffer | null
  model: string
  artifact_authorization: string | null
  family: Buffer | null
  artifact_payload: Record<string, unknown>
  consumed_at: Date | null
  replay: Buffer | null
  authorization_id: string | null
  user_id: string
  client_id: string
  scopes: string[]
  authorization_payload: Record<string, unknown>
  person: PersonRow | null
}

const readSnapshot = statement<Row, [string | null, Buffer | null]>(
  'oauth-snapshot',
  `SELECT ${clientJson('c')} AS client,
          (SELECT json_agg(json_build_object('id', s.id, 'hash', encode(s.hash, 'hex')))
             FROM oauth_client_secrets s WHERE s.client_id = c.id) AS secrets,
          a.hash, a.model, a.authorization_id AS artifact_authorization, a.family, a.payload AS artifact_payload,
          a.consumed_at, a.replay,
          z.id AS authorization_id, z.user_id, z.client_id, z.scopes, z.payload AS authorization_payload,
          ${personJson} AS person
     FROM (SELECT $1::text AS client_id, $2::bytea AS hash) q
     LEFT JOIN oauth_artifacts a ON a.hash = q.hash
     LEFT JOIN authorizations z ON z.id = a.authorization_id
     LEFT JOIN oauth_clients c ON c.id = COALESCE(q.client_id, z.client_id)
     LEFT JOIN users u ON u.id = z.user_id`,
)

/**
 * Reads a snapshot in one statement.
 * @param clientId the client that asks; null to take the one the credential was issued to
 * @param hash SHA-256 of the credential presented, or null when there is none
 */
export async function loadSnapshot(clientId: string | null, hash: Buffer | null): Promise<Snapshot> {
  const [row] = (await readSnapshot(clientId, hash)) as [Row]
  return {
    client: row.client === null ? null : parseClient(row.client),
    secrets: row.secrets ?? [],
    artifact: row.hash && {
      hash: row.hash,
      model: row.model,
      authorizationId: row.artifact_authorization,
      family: row.family,
      payload: row.artifact_payload,
      consumedAt: row.consumed_at,
      replay: row.replay,
    },
    authorization: row.authorization_id
      ? {
          id: row.authorization_id,
          userId: row.user_id,
          clientId: row.client_id,
          scopes: row.scopes,
          payload: row.authorization_payload,
        }
      : null,
    person: row.person,
  }
}

const readPerson = statement<{ person: PersonRow }, [string]>(
  'oauth-person',
  `SELECT ${personJson} AS person FROM users u WHERE u.id = $1::uuid`,
)

/** A person by id, for requests that carry no credential yet. */
export const loadPerson = async (id: string): Promise<PersonRow | undefined> =>
  (await readPerson(id))[0]?.person

const readAuthorization = statement<AuthorizationRow, [string]>(
  'oauth-authorization',
  `SELECT id, user_id AS "userId", client_id AS "clientId", scopes, payload FROM authorizations WHERE id = $1::uuid`,
)

/** An authorization by id. */
export const loadAuthorization = async (id: string): Promise<AuthorizationRow | undefined> =>
  (await readAuthorization(id))[0]
