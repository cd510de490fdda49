import { expect } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { lockWaits } from './lock-waits'

/** `ok`, or the code of what is thrown. */
const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'ok',
    (error) => error.code as string,
  )

/**
 * Has two things happen beside each other: the first goes as far as rows that are held, the second as far as it comes beside that one;
 * then these are given free.
 * @param held a statement that locks the rows, of the one value $1
 * @returns what becomes of each: `ok`, or the code of what it throws
 */
export async function meet(
  held: string,
  id: string,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string[]> {
  const holding = await pool().connect()
  try {
    await holding.query('BEGIN')
    await holding.query(held, [id])
    const one = outcomeOf(first())
    await expect.poll(() => lockWaits(), { timeout: 15_000 }).toBe(1)
    const other = outcomeOf(second())
    await expect.poll(() => lockWaits(), { timeout: 15_000 }).toBe(2)
    await holding.query('COMMIT')
    return await Promise.all([one, other])
  } finally {
    holding.release(true)
  }
}
