import { statement } from '@/lib/base/db/statement'
import { settleLater } from '@/lib/base/process/settle-later'
import { putBack, takeTallies } from './tallies'

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

/** Tells the database what apps did since the last time, in one statement; what fails stays counted. */
export const useSettling = settleLater('what apps did', 2_000, async () => {
  const due = takeTallies()
  if (due.length === 0) return
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
    putBack(due)
    throw error
  }
})
