import { statement } from '@/lib/db/statement'
import type { RequestUnit } from './request-unit'

/**
 * The one statement that makes a token request true: the code or refresh token is consumed where it was not yet, and
 * only then are its successors written; a sign-in that adds a refresh token leaves the hundred newest. The row count decides a race.
 * $1 the presented credential, $2 whether it is consumed, $3 the sealed answer kept for its repetition, $4..$8 the new
 * artifacts. A confidential client's refresh token that is not due for rotation is only locked against a revocation.
 */
const commit = statement<
  { done: number },
  [Buffer, boolean, Buffer | null, Buffer[], string[], string[], Date[], Buffer | null]
>(
  'oauth-token-commit',
  `WITH source AS (
     UPDATE oauth_artifacts SET consumed_at = CASE WHEN $2 THEN clock_timestamp() END, replay = $3
      WHERE hash = $1 AND consumed_at IS NULL AND expires_at > now() RETURNING authorization_id, model
   ), written AS (
     INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, family, expires_at)
     SELECT n.hash, n.model, source.authorization_id, n.payload, $8, n.expires_at
       FROM source, unnest($4::bytea[], $5::text[], $6::jsonb[], $7::timestamptz[]) AS n(hash, model, payload, expires_at)
   ), touched AS (
     UPDATE authorizations z SET last_used_at = now() FROM source
      WHERE z.id = source.authorization_id
        AND (z.last_used_at IS NULL OR z.last_used_at < now() - interval '1 minute')
   ), dropped AS (
     DELETE FROM oauth_artifacts WHERE hash IN (
       SELECT a.hash FROM oauth_artifacts a JOIN source ON a.authorization_id = source.authorization_id
        WHERE a.model = 'RefreshToken' AND a.consumed_at IS NULL AND source.model <> 'RefreshToken' AND 'RefreshToken' = ANY ($5::text[])
        ORDER BY a.created_at DESC OFFSET 99)
   )
   SELECT count(*)::int AS done FROM source`,
)

/**
 * Commits what a token request collected.
 * @param sealedAnswer kept beside a consumed refresh token, so that the answer can be repeated
 * @returns false when the credential was consumed, revoked or expired meanwhile; then nothing was written
 */
export async function commitTokenRequest(unit: RequestUnit, sealedAnswer: Buffer | null): Promise<boolean> {
  const artifact = unit.snapshot?.artifact
  if (!artifact) return unit.inserts.length === 0
  const [row] = await commit(
    artifact.hash,
    unit.consumed,
    sealedAnswer,
    unit.inserts.map((insert) => insert.hash),
    unit.inserts.map((insert) => insert.model),
    unit.inserts.map((insert) => JSON.stringify(insert.payload)),
    unit.inserts.map((insert) => insert.expiresAt),
    artifact.family,
  )
  return row?.done === 1
}

const readReplay = statement<{ replay: Buffer | null; consumedAt: Date | null }, [Buffer]>(
  'oauth-token-replay',
  'SELECT replay, consumed_at AS "consumedAt" FROM oauth_artifacts WHERE hash = $1',
)

/** The sealed answer that the winner of a race for a refresh token left; null for anything else. */
export async function winnersAnswer(unit: RequestUnit): Promise<Buffer | null> {
  const artifact = unit.snapshot?.artifact
  if (artifact?.model !== 'RefreshToken') return null
  return (await readReplay(artifact.hash))[0]?.replay ?? null
}
