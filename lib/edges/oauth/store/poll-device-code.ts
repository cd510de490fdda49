import { errors } from 'oidc-provider'
import { statement } from '@/lib/base/db/statement'
import type { ArtifactRow } from './snapshot'

/** Seconds a device waits between two polls (RFC 8628 section 3.2). */
export const pollingInterval = 5

/** A device that keeps the pace must not be refused because one answer travelled faster than the one before. */
const leewayMs = 500

const notePoll = statement<{ previous: string | null }, [Buffer, number]>(
  'oauth-device-poll',
  `UPDATE oauth_artifacts a SET payload = jsonb_set(a.payload, '{polledAt}', to_jsonb($2::bigint))
     FROM (SELECT hash, payload->>'polledAt' AS previous FROM oauth_artifacts WHERE hash = $1 FOR UPDATE) old
    WHERE a.hash = old.hash RETURNING old.previous`,
)

/**
 * Notes that a device asked for its tokens, and refuses it when it asked a moment ago (RFC 8628 section 3.5).
 * Once the person has decided, the answer comes whatever the pace.
 * @throws errors.SlowDown
 */
export async function checkPollingPace(artifact: ArtifactRow): Promise<void> {
  const { accountId, error, exp } = artifact.payload
  const now = Date.now()
  if (accountId || error || (typeof exp === 'number' && exp * 1000 < now)) return
  const [row] = await notePoll(artifact.hash, now)
  const previous = Number(row?.previous ?? 0)
  if (now - previous < pollingInterval * 1000 - leewayMs) throw new errors.SlowDown()
}
