import { statement } from '@/lib/db/statement'
import { pendingUse, restoreUse } from './count-use'

/**
 * Rows are sorted, so that two replicas that settle at once take their locks in the same order. An app that is gone
 * meanwhile, or was never kept (a metadata document nobody authorized), needs no record.
 */
const addUse = statement<
  never,
  [
    clientIds: string[],
    days: string[],
    authorizations: number[],
    tokens: number[],
    requests: number[],
    errors: number[],
  ]
>(
  'settle-app-usage',
  `INSERT INTO app_usage AS known (client_id, day, authorizations, tokens, requests, errors)
   SELECT t.* FROM unnest($1::text[], $2::date[], $3::int[], $4::int[], $5::int[], $6::int[])
       AS t(client_id, day, authorizations, tokens, requests, errors)
     JOIN oauth_clients c ON c.id = t.client_id
    ORDER BY t.client_id, t.day
   ON CONFLICT (client_id, day) DO UPDATE SET
     authorizations = known.authorizations + excluded.authorizations,
     tokens = known.tokens + excluded.tokens,
     requests = known.requests + excluded.requests,
     errors = known.errors + excluded.errors`,
)

/**
 * Tells the database what apps did since the last time. One statement, however much it was, and one at a time; what fails
 * stays counted.
 */
export function settleUse(): Promise<void> {
  const state = pendingUse()
  clearTimeout(state.timer)
  state.timer = undefined
  // Whoever settles in order to read waits for what is being written as well; that it failed is told to its own caller.
  state.settled = state.settled.catch(() => undefined).then(writeTallies)
  return state.settled
}

async function writeTallies(): Promise<void> {
  const state = pendingUse()
  const due = [...state.tallies.values()]
  if (due.length === 0) return
  state.tallies = new Map()
  try {
    await addUse(
      due.map(({ clientId }) => clientId),
      due.map(({ day }) => day),
      due.map(({ authorizations }) => authorizations),
      due.map(({ tokens }) => tokens),
      due.map(({ requests }) => requests),
      due.map(({ errors }) => errors),
    )
  } catch (error) {
    restoreUse(due)
    throw error
  }
}
