import pg from 'pg'
import { vi } from 'vitest'

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
    const statements = query.mock.calls.map(([first]) => {
      const sent = first as unknown as string | { text: string }
      return typeof sent === 'string' ? sent : sent.text
    })
    return { value, statements }
  } finally {
    query.mockRestore()
  }
}
