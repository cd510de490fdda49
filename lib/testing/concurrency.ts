import { expect } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { lockWaits } from './lock-waits'

/** Waits for an operation. Returns `ok`, or the code of the error with which the operation failed. */
export const outcomeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'ok',
    (error) => error.code as string,
  )

/**
 * Runs two operations concurrently while rows are locked. Starts the second operation when the first
 * operation waits for a lock, and releases the rows when both operations wait.
 * @param held a statement that locks the rows
 * @param id the value of $1 in this statement
 * @throws Error if an operation does not wait for a lock within 15 seconds
 * @returns the outcome of each operation: `ok`, or the error's code
 */
export async function raceForLock(
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
 * Starts work while another change is uncommitted. Commits the change as soon as a statement waits for a lock
 * or the work has ended.
 * @param change the statements of the other change with their values
 * @param about a regular expression for the statement that is expected to wait; by default, any statement
 * @returns the outcome of the work: `ok`, or the error's code
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
    // Other statements can wait for the same lock, such as one that stores when a token was last used.
    await Promise.race([outcome, expect.poll(() => lockWaits(about), { timeout: 15_000 }).not.toBe(0)])
    await changing.query('COMMIT')
    return await outcome
  } finally {
    changing.release(true)
  }
}
