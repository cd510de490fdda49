import pg from 'pg'
import { vi } from 'vitest'

/** What a process does every few seconds beside some request, whichever that is: it belongs to none of them. */
const ofTheProcess = /FROM signing_keys|UPDATE oauth_client_secrets|UPDATE api_tokens SET last_used_at/

/**
 * Counts the SQL statements that this process sends while some work runs, however they are sent.
 * @returns what the work returned, and the texts of the statements in order
 */
export async function countStatements<T>(
  work: () => Promise<T>,
): Promise<{ value: T; statements: string[] }> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const value = await work()
    const sent = query.mock.calls.map(([first]) => {
      const statement = first as unknown as string | { text: string }
      return typeof statement === 'string' ? statement : statement.text
    })
    return { value, statements: sent.filter((text) => !ofTheProcess.test(text)) }
  } finally {
    query.mockRestore()
  }
}
