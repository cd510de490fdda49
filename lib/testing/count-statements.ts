import pg from 'pg'
import { vi } from 'vitest'
import { holdSettling } from './hold-settling'

/** What a process does now and then beside some request, whichever that is: it belongs to none of them. */
const ofTheProcess =
  /FROM signing_keys|UPDATE oauth_client_secrets|UPDATE authorizations z|INTO app_usage|INTO workspace_app_usage|INTO app_events AS known|INTO figures|AS t\(hash, polled_at\)|FROM pg_inherits|pg_notify\('latchkey_live'|pg_advisory_xact_lock\(72707371\)/

/** What settles the request counts of about a second, of all requests together (lib/features/request-counts). */
const settling = /request_counts|UPDATE (api_tokens|authorizations|installations) SET last_used_at/

/**
 * Counts the SQL statements that this process sends while some work runs, however they are sent. What earlier requests noted is
 * written before, and what these note afterwards.
 * @param withSettling also those that settle request counts, where the work has them settled
 * @returns what the work returned, and the texts of the statements in order
 */
export async function countStatements<T>(
  work: () => Promise<T>,
  { withSettling = false } = {},
): Promise<{ value: T; statements: string[] }> {
  return holdSettling(async () => {
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
