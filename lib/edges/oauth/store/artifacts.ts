import { createHmac, hkdfSync } from 'node:crypto'
import { errors } from 'oidc-provider'
import { derivedKey, derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { statement } from '@/lib/base/db/statements'
import { installationNamed } from '@/lib/features/app-access/installations'
import { endOfRefreshToken } from '../protocol/security-profile'

/**
 * This module stores the artifacts of oidc-provider in `oauth_artifacts`. The key of a row is the SHA-256
 * hash of the artifact's handle. The handle itself is not stored, so a copy of the table contains no usable
 * credential. See ADR 0005.
 */

export type Payload = Record<string, unknown>

/** A row of `oauth_artifacts` to write. */
export type ArtifactWrite = {
  hash: Buffer
  model: string
  authorizationId: string | null
  payload: Payload
  family: Buffer | null
  uid: string | null
  userCode: string | null
  /** The lifetime in seconds from the time of the write, by the database's clock; null for no expiry. */
  seconds: number | null
}

/**
 * Models whose artifacts are deleted with their authorization. Sessions and interactions also contain the ID
 * of an authorization, but outlive the authorization.
 */
const issuedUnderGrant = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode'])

export const hashHex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

/** Returns the hash of a user code, keyed with SECRET_KEY because user codes are short enough to guess. */
const hashUserCode = (userCode: string, key = derivedKey('user-code')): string =>
  createHmac('sha256', key).update(userCode).digest('base64url')

/** Returns the hashes of a user code under SECRET_KEY and under earlier keys. */
export const hashesOfUserCode = (userCode: string): string[] =>
  derivedKeys('user-code').map((key) => hashUserCode(userCode, key))

/**
 * Returns the keys that encrypt and decrypt the payload of an interaction. The payload is encrypted because
 * it contains handles of other artifacts. Each key is derived from the interaction's handle and from
 * SECRET_KEY or an earlier key.
 */
const interactionKeys = (handle: string) =>
  derivedKeys('interaction').map((key) => Buffer.from(hkdfSync('sha256', handle, key, 'payload', 32)))

/**
 * Returns the value of a row's `uid` column: a session's uid, or the ID of the app installation that a token
 * is for. Returns null for any other artifact.
 */
function secondName(model: string, { uid, aud }: Payload): string | null {
  if (model === 'ClientCredentials') return installationNamed(aud) ?? null
  return model === 'Session' && typeof uid === 'string' ? uid : null
}

/**
 * Returns the row of an artifact. Encrypts the payload of an interaction.
 * @param seconds the lifetime; undefined for no expiry, as for registration access tokens
 */
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

/** The time when a row was read and the time when it expires, by the database's clock, in milliseconds. */
export type Timed = { readAt: number; expiresAt: number }

/**
 * Returns whether a row has expired. The database's clock decides, because the clocks of replicas differ. See
 * ADR 0036.
 */
export const isExpired = ({ readAt, expiresAt }: Timed): boolean => expiresAt <= readAt

/**
 * Returns the payload with a different `exp` if necessary. oidc-provider compares `exp` with the clock of
 * this process and must reach the same result as the database. If both clocks lead to the same result, `exp`
 * keeps the value that the client received.
 */
function endingWith(row: Timed, payload: Payload): Payload {
  if (typeof payload.exp !== 'number') return payload
  if (isExpired(row)) return { ...payload, exp: 1 }
  const now = Math.floor(Date.now() / 1000)
  return payload.exp > now
    ? payload
    : { ...payload, exp: now + Math.ceil((row.expiresAt - row.readAt) / 1000) }
}

/**
 * Returns the payload of a row as oidc-provider expects it: decrypted, with the artifact's handle, model,
 * grant, and time of use, and with the current time of expiry.
 */
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

/** Matches the JSON of a NUL or a lone surrogate, which a jsonb column rejects. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * Returns whether PostgreSQL can store a payload. Requests can contain characters that PostgreSQL rejects.
 */
export const isStorable = (payload: Payload): boolean => !unstorable.test(JSON.stringify(payload))

/**
 * Finds a session by its uid, unless the session has expired. The handle of a session that is found this way
 * is unknown, so callers use the row's hash instead.
 */
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
 * Writes one artifact immediately. If an artifact with this handle is already stored, updates it.
 * @throws errors.InvalidRequest for characters that cannot be stored
 * @throws errors.InvalidDpopProof if the artifact is the ID of a JWT, such as a DPoP proof (RFC 9449 section
 *   11.1), and the ID is already stored and has not expired. No earlier lookup detects this case
 *   (store/adapter).
 */
export async function saveArtifact(row: ArtifactWrite): Promise<void> {
  if (!isStorable(row.payload))
    throw new errors.InvalidRequest('parameters must not contain NUL or unpaired surrogates')
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

/** Deletes the codes and tokens of one sign-in, which all descend from one code. */
export const deleteFamily = statement<{ hash: Buffer }, [string, Buffer]>(
  'oauth-artifact-delete-family',
  'DELETE FROM oauth_artifacts WHERE authorization_id = $1::uuid AND family = $2',
)
