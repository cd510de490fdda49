import { remember } from '@/lib/base/process/remember'

/** What is counted of an app, as the columns of app_usage have it. */
export const uses = ['authorizations', 'tokens', 'requests', 'errors'] as const
export type Use = (typeof uses)[number]

/** What one app did on one day (UTC, as 2026-11-21) that the database has not been told yet. */
export type Tally = { clientId: string; day: string } & Record<Use, number>

/** Anybody may name a client that is a document of theirs: a flood of such names takes no more memory than this. */
const mostTallies = 10_000

const state = () => remember('app-usage-tallies', () => ({ tallies: new Map<string, Tally>() }))

/** @returns undefined for one more app than are counted at a time */
export function tallyOf(clientId: string, day: string): Tally | undefined {
  const { tallies } = state()
  const key = `${day} ${clientId}`
  let tally = tallies.get(key)
  if (!tally && tallies.size < mostTallies) {
    tally = { clientId, day, authorizations: 0, tokens: 0, requests: 0, errors: 0 }
    tallies.set(key, tally)
  }
  return tally
}

/** How many apps' days are counted at the moment. */
export const tallyCount = () => state().tallies.size

/** Hands over what was counted; counting begins anew. */
export function takeTallies(): Tally[] {
  const taken = [...state().tallies.values()]
  state().tallies = new Map()
  return taken
}

/** Puts back what could not be written. */
export function putBack(taken: Tally[]): void {
  for (const tally of taken) {
    const pending = tallyOf(tally.clientId, tally.day)
    if (pending) for (const use of uses) pending[use] += tally[use]
  }
}
