import pg from 'pg'
import { vi } from 'vitest'
import { withoutTimedWrites } from './timed-writes'

/** Matches the process's periodic statements, which do not belong to a request. */
const ofTheProcess =
  /FROM signing_keys|UPDATE oauth_client_secrets|UPDATE authorizations z|INTO app_usage|INTO workspace_app_usage|INTO app_events AS known|INTO figures|AS t\(hash, polled_at\)|FROM pg_inherits|pg_notify\('latchkey_live'|pg_advisory_xact_lock\(72707371\)/

/**
 * Matches statements that write request counts and last-used times, which are combined for about a second
 * (lib/features/figures/count-usage.ts).
 */
const settling = /request_counts|UPDATE (api_tokens|authorizations|installations) SET last_used_at/

/**
 * Counts the SQL statements that this process sends while a function runs. Request counts and last-used times from earlier
 * requests are written before the function starts. The counts and times that the function records are written after the
 * function ends.
 * @param withSettling whether to include statements that write request counts and last-used times
 * @returns the function's result, and the texts of its statements in order
 */
export async function countStatements<T>(
  work: () => Promise<T>,
  { withSettling = false } = {},
): Promise<{ value: T; statements: string[] }> {
  return withoutTimedWrites(async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    try {
      const value = await work()
      const sent = query.mock.calls.map(([first]) => {
        const statement = first as unknown as string | { text: string }
        return typeof statement === 'string' ? statement : statement.text
      })
      const statements = sent.filter(
        (text) => !ofTheProcess.test(text) && (withSettling || !settling.test(text)),
      )
      return { value, statements }
    } finally {
      query.mockRestore()
    }
  })
}
