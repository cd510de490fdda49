import { vi } from 'vitest'
import { pool } from '@/lib/base/db/pool'

type Result = { rows?: unknown[] } | undefined
type Done = (error: Error | undefined, result: Result) => void

/**
 * Counts the rows that calls of the pool's `query` method return, until Vitest restores the mocks.
 * @returns an array to which each later call adds the number of its rows
 */
export function countRows(): number[] {
  const read: number[] = []
  const note = (result: Result) => read.push(result?.rows?.length ?? 0)
  const query = pool().query.bind(pool()) as (...values: unknown[]) => unknown
  vi.spyOn(pool(), 'query').mockImplementation(((...values: unknown[]) => {
    const done = values.at(-1)
    if (typeof done !== 'function')
      return (query(...values) as Promise<Result>).then((result) => {
        note(result)
        return result
      })
    return query(...values.slice(0, -1), ((error, result) => {
      note(result)
      ;(done as Done)(error, result)
    }) satisfies Done)
  }) as never)
  return read
}
