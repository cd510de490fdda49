import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { pool } from './pool'

/** The difference between the clocks from which on it is logged, in milliseconds. */
const noticeable = 5_000

/** How often the clocks are compared, in milliseconds. */
const every = 10 * 60_000

/** The result of the last comparison. */
const state = () => remember('clock', () => ({ aheadMs: 0 }))

/**
 * Returns the best estimate of the database clock, in milliseconds. Expiries of minutes or days are set and checked by it, so
 * that servers whose clocks differ agree. See ADR 0036.
 */
export const databaseNow = (): number => Date.now() - state().aheadMs

/**
 * Measures how far this process's clock is ahead of the database's, assuming that both directions of the network take equally
 * long, and keeps the result for `databaseNow`.
 * @returns milliseconds; negative if this clock is behind
 */
export async function measureClockOffset(): Promise<number> {
  const since = Date.now()
  const { rows } = await pool().query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  )
  const aheadMs = Math.round((since + Date.now()) / 2 - (rows[0]?.now ?? Number.NaN))
  state().aheadMs = aheadMs
  return aheadMs
}

/**
 * Compares the clocks now and then every ten minutes, without keeping the process alive. Logs a large difference: expiries
 * follow the database clock, but the dates that leave this process follow its own. See ADR 0036.
 * @returns after the first comparison, whether or not the database answered
 */
export async function watchClock(): Promise<void> {
  const compare = async () => {
    const aheadMs = await measureClockOffset()
    if (Math.abs(aheadMs) < noticeable) return
    log.warn('the clock of this machine differs from the database’s: set both by NTP', {
      secondsAhead: Math.round(aheadMs / 1000),
    })
  }
  // The callers that need the database report it if it does not answer.
  const quietly = () => compare().catch(() => undefined)
  setInterval(() => void quietly(), every).unref()
  await quietly()
}
