import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { pool } from './pool'

/** The smallest clock difference that is logged, in milliseconds. */
const noticeable = 5_000

/** The interval at which the clocks are compared, in milliseconds. */
const every = 10 * 60_000

/**
 * Returns the result of the last comparison of the clocks. Before the first comparison, the difference is 0.
 */
const state = () => remember('clock', () => ({ aheadMs: 0 }))

/**
 * Returns an estimate of the database clock, as a Unix timestamp in milliseconds. Use it to set and check
 * expiries of minutes or days, so that servers with different clocks agree. See ADR 0036.
 */
export const databaseNow = (): number => Date.now() - state().aheadMs

/**
 * Measures how far this process's clock is ahead of the database clock, assuming equal network delays in both
 * directions, and stores the result for `databaseNow`.
 * @returns the difference in milliseconds; negative if this clock is behind
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
 * Compares the clocks immediately and then every ten minutes, without keeping the process alive. Logs a large
 * difference, because dates that this process sends use the process's own clock and would be wrong. Expiries
 * use the database clock and remain correct. See ADR 0036.
 * @returns a promise that resolves after the first comparison, whether or not the database responded
 */
export async function watchClock(): Promise<void> {
  const compare = async () => {
    const aheadMs = await measureClockOffset()
    if (Math.abs(aheadMs) < noticeable) return
    log.warn('the clock of this machine differs from the database’s: set both by NTP', {
      secondsAhead: Math.round(aheadMs / 1000),
    })
  }
  // Ignore errors here. If the database does not respond, other code that needs the database reports the
  // error.
  const quietly = () => compare().catch(() => undefined)
  setInterval(() => void quietly(), every).unref()
  await quietly()
}
