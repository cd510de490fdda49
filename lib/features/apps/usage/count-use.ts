import { useSettling } from './settle-use'
import { tallyOf, type Use } from './tallies'

/**
 * Counts something an app did. In memory, and written with everything else of about two seconds in one statement, so that
 * no request waits for it; a crash loses those two seconds.
 * @param now in milliseconds, for tests
 */
export function countUse(clientId: string, use: Use, now = Date.now()): void {
  const tally = tallyOf(clientId, dayOf(now))
  if (!tally) return
  tally[use] += 1
  useSettling.soon()
}

const dayMs = 86_400_000
let today = { number: -1, name: '' }

/** Asked for with every request, and seldom another than the last time. */
function dayOf(now: number): string {
  const number = Math.floor(now / dayMs)
  if (number !== today.number) today = { number, name: new Date(now).toISOString().slice(0, 10) }
  return today.name
}
