import { config } from '@/lib/config/env'
import { remember } from '@/lib/config/remember'
import { onShutdown } from '@/lib/config/shutdown'
import type { Caller } from '@/lib/policy/bearer'
import { settleCounts } from './settle-counts'

/** The requests of one credential in one hour, as this process knows them. */
export type Count = {
  table: Caller['credential']['table']
  /** The hour's start, in milliseconds. */
  hour: number
  /** What the database had when this process last looked, replicas included. */
  settled: number
  /** What it has not been told yet. */
  pending: number
}

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
const settleMs = 1_000

/**
 * Counts live in memory and are settled with the database about once a second, so that a request writes nothing; replicas
 * agree within a second, and a crash loses at most that second's counts.
 */
export const counts = (): Map<string, Count> => remember('request-counts', () => new Map<string, Count>())

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
    settleSoon()
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

const timer = () => remember('request-counts-timer', () => ({ running: false }))

function settleSoon(): void {
  const state = timer()
  if (state.running) return
  state.running = true
  onShutdown('settling request counts', settleCounts)
  setTimeout(async () => {
    try {
      await settleCounts()
    } catch (error) {
      console.error(`settling request counts failed: ${error instanceof Error ? error.message : error}`)
    } finally {
      state.running = false
      if ([...counts().values()].some((count) => count.pending > 0)) settleSoon()
    }
  }, settleMs).unref()
}
