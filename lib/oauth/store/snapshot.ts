import { statement } from '@/lib/db/statement'
import { type ClientRow, clientOfVersion } from './clients-by-version'

/**
 * Everything one OAuth request needs to know, read by one joined statement: the client and its secrets, the credential
 * it presented, the authorization behind that and the person who gave it. Whatever is absent is null.
 */
export type Snapshot = {
  client: ClientRow | null
  secrets: { id: string; hash: string }[]
  artifact: ArtifactRow | null
  authorization: AuthorizationRow | null
  /** The authorization's last use is to be noted: it is a minute old or more. */
  useDue: boolean
  person: PersonRow | null
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

type PersonColumns = {
  user_id: string
  user_name: string
  email: string
  email_verified: boolean
  avatar_url: string | null
  suspended: boolean
}

const personColumns = `u.id AS user_id, u.name AS user_name, u.email, u.email_verified_at IS NOT NULL AS email_verified,
  u.avatar_url, u.suspended_at IS NOT NULL AS suspended`

const toPerson = (row: PersonColumns): PersonRow => ({
  id: row.user_id,
  name: row.user_name,
  email: row.email,
  emailVerified: row.email_verified,
  avatarUrl: row.avatar_url,
  suspended: row.suspended,
})

type Row = Omit<PersonColumns, 'user_id'> & {
  user_id: string | null
  client: string | null
  client_version: string
  secrets: { id: string; hash: string }[] | null
  model: string | null
  family: Buffer | null
  artifact_payload: Record<string, unknown>
  consumed_at: Date | null
  replay: Buffer | null
  authorization_id: string | null
  owner: string | null
  owner_client: string
  scopes: string
  authorization_payload: Record<string, unknown> | null
  use_due: boolean
}

/**
 * Wide rows cost more to write and read than to find, so whatever is mostly empty or the same is left out: of the client
 * only the version of its row (`xmin`, which every change renews), a payload that says nothing, secrets of public clients.
 */
const readSnapshot = statement<Row, [string | null, Buffer | null]>(
  'oauth-snapshot',
  `SELECT c.id AS client, c.xmin::text AS client_version,
          CASE WHEN c.type = 'WEB' THEN
            (SELECT json_agg(json_build_object('id', s.id, 'hash', encode(s.hash, 'hex')))
               FROM oauth_client_secrets s WHERE s.client_id = c.id) END AS secrets,
          a.model, a.family, a.payload AS artifact_payload, a.consumed_at, a.replay, a.authorization_id,
          z.user_id AS owner, z.client_id AS owner_client, array_to_string(z.scopes, ' ') AS scopes,
          NULLIF(z.payload, '{}') AS authorization_payload,
          z.last_used_at IS NULL OR z.last_used_at < now() - interval '1 minute' AS use_due,
          ${personColumns}
     FROM (SELECT $1::text AS client_id, $2::bytea AS hash) q
     LEFT JOIN oauth_artifacts a ON a.hash = q.hash
     LEFT JOIN authorizations z ON z.id = a.authorization_id
     LEFT JOIN oauth_clients c ON c.id = COALESCE(q.client_id, z.client_id)
     LEFT JOIN users u ON u.id = z.user_id`,
)

/**
 * Reads a snapshot: one statement, and one more when the client is new to this process or has changed.
 * @param clientId the client that asks; null to take the one the credential was issued to
 * @param hash SHA-256 of the credential presented, or null when there is none
 */
export async function loadSnapshot(clientId: string | null, hash: Buffer | null): Promise<Snapshot> {
  // No client is named with a NUL, which the column could not even be compared with.
  const named = clientId?.includes('\0') ? '' : clientId
  const [row] = (await readSnapshot(named, hash)) as [Row]
  return {
    client: row.client === null ? null : await clientOfVersion(row.client, row.client_version),
    secrets: row.secrets ?? [],
    artifact:
      hash && row.model
        ? {
            hash,
            model: row.model,
            authorizationId: row.authorization_id,
            family: row.family,
            payload: row.artifact_payload,
            consumedAt: row.consumed_at,
            replay: row.replay,
          }
        : null,
    authorization:
      row.authorization_id && row.owner
        ? {
            id: row.authorization_id,
            userId: row.owner,
            clientId: row.owner_client,
            scopes: row.scopes === '' ? [] : row.scopes.split(' '),
            payload: row.authorization_payload ?? {},
          }
        : null,
    useDue: row.use_due === true,
    person: row.user_id === null ? null : toPerson({ ...row, user_id: row.user_id }),
  }
}

const readPerson = statement<PersonColumns, [string]>(
  'oauth-person',
  `SELECT ${personColumns} FROM users u WHERE u.id = $1::uuid`,
)

/** A person by id, for requests that carry no credential yet. */
export const loadPerson = async (id: string): Promise<PersonRow | undefined> =>
  (await readPerson(id)).map(toPerson)[0]

const readAuthorization = statement<AuthorizationRow, [string]>(
  'oauth-authorization',
  `SELECT id, user_id AS "userId", client_id AS "clientId", scopes, payload FROM authorizations WHERE id = $1::uuid`,
)

/** An authorization by id. */
export const loadAuthorization = async (id: string): Promise<AuthorizationRow | undefined> =>
  (await readAuthorization(id))[0]
