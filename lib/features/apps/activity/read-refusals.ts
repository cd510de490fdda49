import { firstIdAt } from '@/lib/base/db/paging'
import { statement } from '@/lib/base/db/statements'
import type { Actor } from '@/lib/policy/actor'
import { requireApp } from '../require-app'
import { gatheredActivity } from './note-activity'

/** A summary of an app's rejected requests in the last seven days. */
export type Refusals = {
  /** The number of rejected requests. If there are more than 1,001, the number is 1,001. */
  times: number
  lastAt: Date
  /**
   * The reason for the last rejection, or its error code if no reason was recorded. Empty if neither was
   * recorded.
   */
  why: string
  /** Whether the last rejected request sent an unregistered redirect URI. */
  wrongRedirectUri: boolean
}

const days = 7

const find = statement<Refusals, [clientId: string, firstId: string]>(
  'app-refusals',
  `SELECT last.created_at AS "lastAt", COALESCE(last.detail, last.error, '') AS why,
          COALESCE(last.error = 'invalid_redirect_uri', false) AS "wrongRedirectUri",
          (SELECT count(*)::int FROM (SELECT 1 FROM app_events WHERE client_id = $1 AND id >= $2::uuid AND kind = 'REFUSED' LIMIT 1001) AS recent) AS times
     FROM app_events last WHERE last.client_id = $1 AND last.id >= $2::uuid AND last.kind = 'REFUSED'
    ORDER BY last.id DESC LIMIT 1`,
)

/**
 * Returns a summary of an app's rejected requests in the last seven days, or null if there are none.
 * @param now the current time in milliseconds, for tests
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function readRefusals(
  actor: Actor,
  clientId: string,
  now = Date.now(),
): Promise<Refusals | null> {
  const { id } = await requireApp(actor, clientId)
  // Write the events that this process gathered in the last second, so that the summary includes them.
  await gatheredActivity.now()
  const [row] = await find(id, firstIdAt(new Date(now - days * 86_400_000)))
  return row ?? null
}
