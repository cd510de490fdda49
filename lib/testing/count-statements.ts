import pg from 'pg'
import { vi } from 'vitest'
import { withoutTimedWrites } from './timed-writes'

/**
 * Matches statements that the process sends in the background, such as batched writes. They do not belong to
 * a single request.
 */
const ofTheProcess =
  /FROM signing_keys|UPDATE oauth_client_secrets|UPDATE authorizations z|INTO app_usage|INTO workspace_app_usage|INTO app_events AS known|INTO figures|AS t\(hash, polled_at\)|FROM pg_inherits|pg_notify\('latchkey_live'|pg_advisory_xact_lock\(72707371\)/

/**
 * Matches statements that write request counts and last-used times. The process collects these values in
 * memory and writes them in batches (lib/features/figures/count-usage.ts).
 */
const settling = /request_counts|UPDATE (api_tokens|authorizations|installations) SET last_used_at/

/**
 * Records the SQL statements that this process sends while a function runs, except statements that it sends
 * in the background. Request counts and last-used times from earlier requests are written before the function
 * starts. The counts and times that the function records are written after the function ends.
 * @param withSettling whether to include statements that write request counts and last-used times
 * @returns the function's result, and the texts of the recorded statements in order
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
