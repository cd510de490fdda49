import { config } from '@/lib/base/config/env'
import { type Count, type Counted, counts } from './request-counts'
import { countSettling } from './settle-counts'

/** Where a credential stands after a request. */
export type Usage = {
  allowed: boolean
  limit: number
  remaining: number
  /** What the limit that comes first is for, in words. */
  limited: string
  /** Seconds until the hour is over, and when that is, in seconds since 1970. */
  resetsIn: number
  resetsAt: number
}

const hourMs = 3_600_000

/** So many tokens' worth of requests have all API tokens of one person together: making more of them makes no more. */
export const tokensWorth = 5

/**
 * Counts one request of a credential. One past the limit is refused, and not counted.
 * @param personId of an API token: its requests count for the person too
 * @param now in milliseconds, for tests
 */
export function countRequest(credential: Counted, personId?: string, now = Date.now()): Usage {
  const hour = now - (now % hourMs)
  const limit = config().RATE_LIMIT_PER_HOUR
  const own = { count: countOf(credential, hour), limit, limited: 'This token' }
  const all = personId && {
    count: countOf({ table: 'users', id: personId }, hour),
    limit: limit * tokensWorth,
    limited: 'All your tokens together',
  }
  const first = all && left(all) < left(own) ? all : own
  const allowed = left(first) > 0
  if (allowed) {
    own.count.pending += 1
    if (all) all.count.pending += 1
    countSettling.soon()
  }
  const resetsAt = (hour + hourMs) / 1000
  return {
    allowed,
    limit: first.limit,
    remaining: left(first),
    limited: first.limited,
    resetsIn: Math.max(1, Math.ceil(resetsAt - now / 1000)),
    resetsAt,
  }
}

const left = ({ count, limit }: { count: Count; limit: number }) =>
  Math.max(0, limit - count.settled - count.pending)

function countOf({ table, id }: Counted, hour: number): Count {
  const known = counts().get(id)
  if (known?.hour === hour) return known
  const count = { table, hour, settled: 0, pending: 0 }
  counts().set(id, count)
  return count
}
