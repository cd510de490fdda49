import { errors } from 'oidc-provider'
import { statement } from '@/lib/base/db/statements'
import { remember } from '@/lib/base/process/remember'
import { gather } from '@/lib/base/process/tally'
import { hashHex, isExpired } from './artifacts'
import type { ArtifactRow } from './snapshot'

/** Seconds a device waits between two polls (RFC 8628 section 3.2). */
export const pollingInterval = 5

/** A device that keeps the pace must not be refused because one answer travelled faster than the one before. */
const leewayMs = 500

/** The shortest time between two polls, in milliseconds. */
const paceMs = pollingInterval * 1000 - leewayMs

/** When each device last polled at this process, for as long as that matters, as `performance.now()` counts. */
export const lastPolls = () => remember('device-polls', () => new Map<string, number>())

/** Rows are sorted, so that two replicas that write at once take their locks in the same order. */
const notePolls = statement<never, [hashes: Buffer[], polledAt: string[]]>(
  'oauth-device-polls',
  `UPDATE ONLY oauth_artifacts a
      SET payload = jsonb_set(a.payload, '{polledAt}', t.polled_at::jsonb)
     FROM (SELECT * FROM unnest($1::bytea[], $2::text[]) AS t(hash, polled_at) ORDER BY hash) t
    WHERE a.hash = t.hash AND a.hash = ANY($1::bytea[]) AND a.model = 'DeviceCode'`,
)

/**
 * What other replicas are to know, the time of each poll as the database had it when the device code was read: a poll writes nothing by itself, and they
 * agree within a second.
 */
export const devicePolls = gather<number>('polls of devices', {
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
 * Notes that a device asked for its tokens, and refuses it when it asked a moment ago (RFC 8628 section 3.5), here or, a
 * second ago or more, at another replica. Once the person has decided, the answer comes whatever the pace.
 * @throws errors.SlowDown
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
