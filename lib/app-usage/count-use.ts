import { remember } from '@/lib/config/remember'
import { onShutdown } from '@/lib/config/shutdown'
import { settleUse } from './settle-use'

/** What is counted of an app, as the columns of app_usage have it. */
export const uses = ['authorizations', 'tokens', 'requests', 'errors'] as const
export type Use = (typeof uses)[number]

/** What one app did on one day (UTC, as 2026-11-21) that the database has not been told yet. */
export type Tally = { clientId: string; day: string } & Record<Use, number>

const settleAfterMs = 2_000

/** Anybody may name a client that is a document of theirs: a flood of such names takes no more memory than this. */
const mostTallies = 10_000

type State = {
  tallies: Map<string, Tally>
  timer: NodeJS.Timeout | undefined
  /** The last writing, which may be under way. */
  settled: Promise<void>
}

export const pendingUse = () =>
  remember<State>('app-usage', () => {
    onShutdown('what apps did', settleUse)
    return { tallies: new Map(), timer: undefined, settled: Promise.resolve() }
  })

/**
 * Counts something an app did. In memory, and written with everything else of about two seconds in one statement, so that
 * no request waits for it; a crash loses those two seconds.
 * @param now in milliseconds, for tests
 */
export function countUse(clientId: string, use: Use, now = Date.now()): void {
  const tally = tallyOf(clientId, dayOf(now))
  if (!tally) return
  tally[use] += 1
  settleSoon()
}

/** Puts back what could not be written. */
export function restoreUse(tallies: Tally[]): void {
  for (const tally of tallies) {
    const pending = tallyOf(tally.clientId, tally.day)
    if (pending) for (const use of uses) pending[use] += tally[use]
  }
  if (tallies.length > 0) settleSoon()
}

/** @returns undefined for one more app than are counted at a time */
function tallyOf(clientId: string, day: string): Tally | undefined {
  const { tallies } = pendingUse()
  const key = `${day} ${clientId}`
  let tally = tallies.get(key)
  if (!tally && tallies.size < mostTallies) {
    tally = { clientId, day, authorizations: 0, tokens: 0, requests: 0, errors: 0 }
    tallies.set(key, tally)
  }
  return tally
}

function settleSoon(): void {
  pendingUse().timer ??= setTimeout(() => {
    settleUse().catch((error) => console.error(`what apps did was not written: ${error.message}`))
  }, settleAfterMs).unref()
}

const dayMs = 86_400_000
let today = { number: -1, name: '' }

/** Asked for with every request, and seldom another than the last time. */
function dayOf(now: number): string {
  const number = Math.floor(now / dayMs)
  if (number !== today.number) today = { number, name: new Date(now).toISOString().slice(0, 10) }
  return today.name
}
