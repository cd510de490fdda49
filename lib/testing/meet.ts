import { expect } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { lockWaits } from './lock-waits'

/** What becomes of something: `ok`, or the code of what it throws. */
export const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
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

/**
 * Does something while somebody else's change is not committed yet: it goes as far as that lets it, or to its end; then the change is
 * committed.
 * @param change the statements of that change, with their values
 * @param about as of `lockWaits`: what it is expected to wait with
 * @returns what becomes of it: `ok`, or the code of what it throws
 */
export async function whileUncommitted(
  change: [sql: string, values: unknown[]][],
  ask: () => Promise<unknown>,
  about = '',
): Promise<string> {
  const changing = await pool().connect()
  try {
    await changing.query('BEGIN')
    for (const [sql, values] of change) await changing.query(sql, values)
    const outcome = outcomeOf(ask())
    await Promise.race([outcome, expect.poll(() => lockWaits(about), { timeout: 15_000 }).toBe(1)])
    await changing.query('COMMIT')
    return await outcome
  } finally {
    changing.release(true)
  }
}
