import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for some work, but not for ever. The work itself goes on, and what it throws later concerns nobody.
 * @param ms how long at most, in milliseconds
 * @throws Error when it takes longer; what the work throws
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const overdue = async (): Promise<never> => {
    await sleep(Math.max(ms, 0), undefined, { signal: done.signal })
    throw new Error('it was not done in time')
  }
  try {
    return await Promise.race([work, overdue()])
  } finally {
    done.abort()
  }
}
