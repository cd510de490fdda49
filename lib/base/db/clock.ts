import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { pool } from './pool'

/** How far the clocks may differ before it is said, in milliseconds. */
const noticeable = 5_000

/** How often they are compared, in milliseconds. */
const every = 10 * 60_000

/** What the last comparison said. */
const state = () => remember('clock', () => ({ aheadMs: 0 }))

/**
 * The time of the database's clock, as far as it is known here, in milliseconds. Whatever ends after minutes or days gets its end
 * from it and is judged by it, so that replicas whose clocks differ agree.
 * See decision 110.
 */
export const databaseNow = (): number => Date.now() - state().aheadMs

/**
 * How far this process's clock is ahead of the database's, in milliseconds; negative where it is behind. The way there and
 * back counts as half each. It is kept for `databaseNow`.
 */
export async function clockAhead(): Promise<number> {
  const since = Date.now()
  const { rows } = await pool().query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  )
  const aheadMs = Math.round((since + Date.now()) / 2 - (rows[0]?.now ?? Number.NaN))
  state().aheadMs = aheadMs
  return aheadMs
}

/**
 * Compares the clocks now, and every ten minutes for as long as something else keeps the process. One that is off is told to
 * the operator: what ends is judged by the database's clock, but what leaves this process is dated by its own.
 * See decision 110.
 * @returns once they have been compared, or the database has not answered
 */
export async function watchClock(): Promise<void> {
  const compare = async () => {
    const aheadMs = await clockAhead()
    if (Math.abs(aheadMs) < noticeable) return
    log.warn('the clock of this machine differs from the database’s: set both by NTP', {
      secondsAhead: Math.round(aheadMs / 1000),
    })
  }
  // A database that does not answer is told of by whoever needs it.
  const quietly = () => compare().catch(() => undefined)
  setInterval(() => void quietly(), every).unref()
  await quietly()
}
