import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { pool } from './pool'
import type { Db } from './prisma'

export type AttemptLimit = {
  /** Unique in the product. */
  name: string
  points: number
  seconds: number
  /** What the person is told. */
  message: string
  /** What comes after decides whether anybody is refused, so the log is told nothing. */
  isFirstOfTwo?: boolean
  /** Takes what has expired out of the table, which all limits share: for one that is used all the time. */
  sweeps?: boolean
}

const limiter = ({ name, points, seconds, sweeps = false }: AttemptLimit) =>
  remember(
    `attempt-limit ${name}`,
    () =>
      new RateLimiterPostgres({
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: sweeps,
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
  const { waitMs } = await take(limit, key)
  if (waitMs === undefined) return
  limitsReached.add({ limit: limit.name })
  if (!limit.isFirstOfTwo) log.warn('a limit was reached', { name: limit.name })
  throw new AppError('RATE_LIMITED', limit.message, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Counts one attempt and refuses nobody. @returns how many there have been */
export const countTries = async (limit: AttemptLimit, key: string): Promise<number> =>
  (await take(limit, key)).tries

async function take(limit: AttemptLimit, key: string): Promise<{ tries: number; waitMs?: number }> {
  try {
    return { tries: (await limiter(limit).consume(keyOf(key))).consumedPoints }
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('msBeforeNext' in error)) throw error
    const { consumedPoints, msBeforeNext } = error as RateLimiterRes
    return { tries: consumedPoints, waitMs: msBeforeNext }
  }
}

/** What was counted, and for whom. */
export type Counted = [limit: AttemptLimit, key: string]

/**
 * Does what an attempt was counted for. What is not looked at, because too many wait already, was no attempt: it is given back.
 * @throws whatever the work throws
 */
export async function unlessTooBusy<T>(counted: Counted[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error) && error.code === 'SERVICE_UNAVAILABLE') {
      await Promise.allSettled(counted.map(([limit, key]) => giveBackAttempt(limit, key)))
    }
    throw error
  }
}

/** Takes one attempt of a key back. */
export async function giveBackAttempt(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).reward(keyOf(key), 1)
}

/** Forgets the attempts of a key: what followed proved that they were no guesses. */
export async function forgetAttempts(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).delete(keyOf(key))
}

/**
 * What a limit counts by. Whoever has one IPv6 address has 2^64 of them (RFC 6177: a network is a /64 at least), and would
 * pass every limit by taking the next: so its network stands for it. Everything else stands for itself.
 * See decision 031.
 * @param key an address, or who else is counted
 */
export function countedAs(key: string): string {
  if (!key.includes(':') || !ipaddr.IPv6.isValid(key)) return key
  const { parts } = ipaddr.IPv6.parse(key)
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/** What something belongs to, and how many of its kind that may have. */
export type Room = {
  of: { table: 'users' | 'workspaces' | 'projects'; id: string }
  most: number
  message: string
}

/**
 * Refuses one more of a kind where there are as many as there may be. The owner's row is locked until the transaction
 * ends, so that two requests at once cannot both count the last free place.
 * @param count how many there are
 * @throws AppError CONFLICT with the message, which says how to make room
 */
export async function requireRoom(
  tx: Db,
  { of, most, message }: Room,
  count: () => Promise<number>,
): Promise<void> {
  await tx.$queryRawUnsafe(`SELECT id FROM ${of.table} WHERE id = $1::uuid FOR NO KEY UPDATE`, of.id)
  if ((await count()) >= most) throw new AppError('CONFLICT', message)
}
