import { errors } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { remember } from '@/lib/base/process/remember'
import { collect } from '@/lib/base/process/tally'
import { hashHex, isExpired } from './artifacts'
import type { ArtifactRow } from './snapshot'

/** The interval between two polls of a device, in seconds (RFC 8628 section 3.2). */
export const pollingInterval = 5

/**
 * The tolerance for network latency, in milliseconds, so that a device that keeps the interval is not
 * rejected.
 */
const leewayMs = 500

/** The shortest accepted time between two polls, in milliseconds. */
const paceMs = pollingInterval * 1000 - leewayMs

/**
 * Returns the last poll of each device in this process, as a `performance.now()` time by the hash of the
 * device code. Each batch write removes outdated polls.
 */
export const lastPolls = () => remember('device-polls', () => new Map<string, number>())

/**
 * Stores the times of polls. The rows are sorted, so that all replicas lock them in the same order and cannot
 * deadlock.
 */
const notePolls = statement<never, [hashes: Buffer[], polledAt: string[]]>(
  'oauth-device-polls',
  `UPDATE ONLY oauth_artifacts a
      SET payload = jsonb_set(a.payload, '{polledAt}', t.polled_at::jsonb)
     FROM (SELECT * FROM unnest($1::bytea[], $2::text[]) AS t(hash, polled_at) ORDER BY hash) t
    WHERE a.hash = t.hash AND a.hash = ANY($1::bytea[]) AND a.model = 'DeviceCode'`,
)

/**
 * The time of the last poll of each device, for other replicas. The time is read from the database's clock
 * together with the device code. Polls are written in batches and reach the other replicas after about a
 * second.
 */
export const devicePolls = collect<number>('polls of devices', {
  afterMs: 1_000,
  merge: (_earlier, later) => later,
  write: async (gathered) => {
    await notePolls(
      [...gathered.keys()].map((hash) => Buffer.from(hash, 'hex')),
      [...gathered.values()].map(String),
    )
    const past = performance.now() - paceMs
    for (const [hash, at] of lastPolls()) if (at < past) lastPolls().delete(hash)
  },
})

/**
 * Records a poll of a device, and rejects the poll if the device polled too recently (RFC 8628 section 3.5).
 * Polls that other replicas receive count after about a second. Does nothing if the user has decided or the
 * code has expired, because the polling interval then no longer applies.
 * @throws errors.SlowDown if the device polled too recently
 */
export function checkPollingPace(artifact: ArtifactRow): void {
  const { accountId, error, polledAt } = artifact.payload
  if (accountId || error || isExpired(artifact)) return
  const now = performance.now()
  const hash = hashHex(artifact.hash)
  const here = now - (lastPolls().get(hash) ?? Number.NEGATIVE_INFINITY)
  const anywhere = artifact.readAt - Number(polledAt ?? 0)
  lastPolls().set(hash, now)
  devicePolls.add(hash, artifact.readAt)
  if (Math.min(here, anywhere) < paceMs) throw new errors.SlowDown()
}
