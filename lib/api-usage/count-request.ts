import { config } from '@/lib/config/env'
import type { Caller } from '@/lib/policy/bearer'
import { counts } from './request-counts'
import { countSettling } from './settle-counts'

/** Where a credential stands after a request. */
export type Usage = {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the hour is over, and when that is, in seconds since 1970. */
  resetsIn: number
  resetsAt: number
}

const hourMs = 3_600_000

/**
 * Counts one request of a credential. One past the limit is refused, and not counted.
 * @param now in milliseconds, for tests
 */
export function countRequest({ table, id }: Caller['credential'], now = Date.now()): Usage {
  const hour = now - (now % hourMs)
  const limit = config().RATE_LIMIT_PER_HOUR
  let count = counts().get(id)
  if (!count || count.hour !== hour) {
    count = { table, hour, settled: 0, pending: 0 }
    counts().set(id, count)
  }
  const allowed = count.settled + count.pending < limit
  if (allowed) {
    count.pending += 1
    countSettling.soon()
  }
  const resetsAt = (hour + hourMs) / 1000
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - count.settled - count.pending),
    resetsIn: Math.max(1, Math.ceil(resetsAt - now / 1000)),
    resetsAt,
  }
}
