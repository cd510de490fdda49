import { createHash } from 'node:crypto'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { countedAs } from './counted-as'
import { pool } from './pool'

export type AttemptLimit = {
  /** Unique in the product. */
  name: string
  points: number
  seconds: number
  /** What the person is told. */
  message: string
  /** What comes after decides whether anybody is refused, so the log is told nothing. */
  isFirstOfTwo?: boolean
}

const limiter = ({ name, points, seconds }: AttemptLimit) =>
  remember(
    `attempt-limit ${name}`,
    () =>
      new RateLimiterPostgres({
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        // The sign-in limits sweep the table, which is shared.
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: seconds,
      }),
  )

/** Neither e-mail addresses nor anything else personal belongs in a table of counters. */
const keyOf = (value: string) => createHash('sha256').update(countedAs(value)).digest('base64url')

/**
 * Counts one attempt against a limit that guards against guessing or abuse: in the database, at once, so that replicas,
 * restarts and parallel requests share the count. Call it before the work, not after.
 * @param key whose attempt it is: an address, a person
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function countAttempt(limit: AttemptLimit, key: string): Promise<void> {
  try {
    await limiter(limit).consume(keyOf(key))
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('msBeforeNext' in error)) throw error
    limitsReached.add({ limit: limit.name })
    const retryAfter = Math.max(1, Math.ceil(Number(error.msBeforeNext) / 1000))
    if (!limit.isFirstOfTwo) log.warn('a limit was reached', { name: limit.name })
    throw new AppError('RATE_LIMITED', limit.message, { retryAfter })
  }
}

/** Forgets the attempts of a key: what followed proved that they were no guesses. */
export async function forgetAttempts(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).delete(keyOf(key))
}
