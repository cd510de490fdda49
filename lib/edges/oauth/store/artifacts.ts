import { createHmac, hkdfSync } from 'node:crypto'
import { errors } from 'oidc-provider'
import { derivedKey, derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { installationNamed } from '@/lib/features/app-access/installations'
import { endOfRefreshToken } from '../protocol/security-profile'

/**
 * How the engine's artifacts are kept in `oauth_artifacts`: named by the SHA-256 of their handle, which is put back in
 * when one is found, so that a copy of the table holds nothing that could be presented.
 * See ADR 0006.
 */

export type Payload = Record<string, unknown>

/** One row to write. */
export type ArtifactWrite = {
  hash: Buffer
  model: string
  authorizationId: string | null
  payload: Payload
  family: Buffer | null
  uid: string | null
  userCode: string | null
  /** How long it lives from the moment it is written, by the database's clock; null for ever. */
  seconds: number | null
}

/** The models that end with the authorization they were issued under. Session and Interaction carry a grantId too, but
 * outlive it. */
const issuedUnderGrant = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode'])

export const hashHex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

/** User codes are short enough to be found by trying all of them, so their hash is keyed with SECRET_KEY. */
const hashUserCode = (userCode: string, key = derivedKey('user-code')): string =>
  createHmac('sha256', key).update(userCode).digest('base64url')

/** The names that a user code may be kept under: the hash under SECRET_KEY, and those under the keys before it. */
export const hashesOfUserCode = (userCode: string): string[] =>
  derivedKeys('user-code').map((key) => hashUserCode(userCode, key))

/** An interaction holds handles of other artifacts, so its payload is sealed under a key made from its own handle. */
const interactionKeys = (handle: string) =>
  derivedKeys('interaction').map((key) => Buffer.from(hkdfSync('sha256', handle, key, 'payload', 32)))

/** What else a row is found by: the uid of a session, the installation that a token is for. */
function secondName(model: string, { uid, aud }: Payload): string | null {
  if (model === 'ClientCredentials') return installationNamed(aud) ?? null
  return model === 'Session' && typeof uid === 'string' ? uid : null
}

/** The row of an artifact. @param seconds how long it lives; undefined for ever, as registration access tokens do */
export function toRow(model: string, handle: string, payload: Payload, seconds?: number): ArtifactWrite {
  const { jti: _jti, kind: _kind, grantId, userCode, ...rest } = payload
  const hash = hashCredential(handle)
  const tied = issuedUnderGrant.has(model)
  const kept = tied ? rest : { ...rest, ...(grantId === undefined ? {} : { grantId }) }
  return {
    hash,
    model,
    authorizationId: tied && typeof grantId === 'string' ? grantId : null,
    payload:
      model === 'Interaction'
        ? { sealed: seal(JSON.stringify(kept), interactionKeys(handle)).toString('base64') }
        : kept,
    family: model === 'AuthorizationCode' || model === 'DeviceCode' ? hash : null,
    uid: secondName(model, payload),
    userCode: typeof userCode === 'string' ? hashUserCode(userCode) : null,
    seconds: seconds ?? null,
  }
}

/** When a row was read and when it ends, by the database's clock, in milliseconds. */
export type Timed = { readAt: number; expiresAt: number }

/** Whether a row is past its end. The database says so: it has one clock, and replicas have one each. See ADR 0046. */
export const isExpired = ({ readAt, expiresAt }: Timed): boolean => expiresAt <= readAt

/**
 * A payload whose `exp` leads the engine, which asks the clock of this process, to what the database's says. As long as the
 * clocks agree it stays as it was told to the client.
 */
function endingWith(row: Timed, payload: Payload): Payload {
  if (typeof payload.exp !== 'number') return payload
  if (isExpired(row)) return { ...payload, exp: 1 }
  const now = Math.floor(Date.now() / 1000)
  return payload.exp > now
    ? payload
    : { ...payload, exp: now + Math.ceil((row.expiresAt - row.readAt) / 1000) }
}

/** The engine's payload of a row, its handle put back in. */
export function toPayload(
  row: Timed & { model: string; payload: Payload; authorizationId: string | null; consumedAt: Date | null },
  handle: string,
): Payload {
  const kept =
    row.model === 'Interaction'
      ? (JSON.parse(
          unseal(Buffer.from(String(row.payload.sealed), 'base64'), interactionKeys(handle)),
        ) as Payload)
      : row.payload
  const dated = endingWith(row, kept)
  return {
    ...dated,
    ...(row.model === 'RefreshToken'
      ? { exp: endOfRefreshToken(dated as { iat: number; exp: number }) }
      : {}),
    jti: handle,
    kind: row.model,
    ...(row.authorizationId ? { grantId: row.authorizationId } : {}),
    ...(row.consumedAt ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) } : {}),
  }
}

type Row = Timed & {
  model: string
  payload: Payload
  authorizationId: string | null
  consumedAt: Date | null
}

const columns = `model, payload, authorization_id AS "authorizationId", consumed_at AS "consumedAt",
  extract(epoch FROM now())::float8 * 1000 AS "readAt", extract(epoch FROM expires_at)::float8 * 1000 AS "expiresAt"`

export const findArtifact = statement<Row, [Buffer, string]>(
  'oauth-artifact-find',
  `SELECT ${columns} FROM ONLY oauth_artifacts WHERE hash = $1 AND model = $2 AND expires_at > now() - interval '1 day'`,
  { connections: 'shared' },
)

/** What JSON.stringify writes for a NUL and for half a surrogate pair, neither of which a jsonb column takes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Whether PostgreSQL can store a payload. What came with a request may hold characters that it cannot. */
export const isStorable = (payload: Payload): boolean => !unstorable.test(JSON.stringify(payload))

/** Sessions are also found by their uid; the handle is not known then, so the row's hash stands in for it. */
export const findByUid = statement<Row & { hash: Buffer }, [string, string]>(
  'oauth-artifact-find-uid',
  `SELECT hash, ${columns} FROM ONLY oauth_artifacts WHERE uid = $1 AND model = $2 AND expires_at > now()`,
  { connections: 'shared' },
)

const writeArtifact = statement<
  { hash: Buffer },
  [Buffer, string, string | null, string, Buffer | null, string | null, string | null, number | null]
>(
  'oauth-artifact-write',
  `INSERT INTO oauth_artifacts AS a (hash, model, authorization_id, payload, family, uid, user_code, expires_at)
   VALUES ($1, $2, $3::uuid, $4::jsonb, $5, $6, $7,
           COALESCE(now() + $8::float8 * interval '1 second', '9999-12-31Z'))
   ON CONFLICT (hash) DO UPDATE
     SET payload = excluded.payload, uid = excluded.uid, expires_at = excluded.expires_at,
         authorization_id = COALESCE(excluded.authorization_id, a.authorization_id),
         user_code = COALESCE(excluded.user_code, a.user_code)
     WHERE a.model <> 'ReplayDetection' OR a.expires_at < excluded.created_at
   RETURNING hash`,
)

/**
 * Writes one artifact at once.
 * @throws errors.InvalidRequest for characters that cannot be stored; errors.InvalidDpopProof when a proof's id (RFC 9449 section 11.1) was written before: two requests with one
 *   proof may both have looked and found nothing
 */
export async function saveArtifact(row: ArtifactWrite): Promise<void> {
  if (!isStorable(row.payload))
    throw new errors.InvalidRequest('parameters must not hold NUL or half characters')
  const written = await writeArtifact(
    row.hash,
    row.model,
    row.authorizationId,
    JSON.stringify(row.payload),
    row.family,
    row.uid,
    row.userCode,
    row.seconds,
  )
  if (written.length === 0) throw new errors.InvalidDpopProof('DPoP proof JWT Replay detected')
}

export const consumeArtifact = statement<{ hash: Buffer }, [Buffer]>(
  'oauth-artifact-consume',
  `UPDATE ONLY oauth_artifacts SET consumed_at = now() WHERE hash = $1 AND consumed_at IS NULL RETURNING hash`,
)

export const deleteArtifact = statement<{ hash: Buffer }, [Buffer]>(
  'oauth-artifact-delete',
  'DELETE FROM ONLY oauth_artifacts WHERE hash = $1',
)

/** Ends one sign-in: the codes and tokens that descend from one code. */
export const deleteFamily = statement<{ hash: Buffer }, [string, Buffer]>(
  'oauth-artifact-delete-family',
  'DELETE FROM oauth_artifacts WHERE authorization_id = $1::uuid AND family = $2',
)
