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
  /** The public error message. */
  message: string
  /** A second limit decides whether to reject, so this one logs nothing. */
  isFirstOfTwo?: boolean
  /** Deletes expired rows of all limits, which share one table. Set it on a limit in constant use. */
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

/** The table of counters stores no email addresses or other personal data. */
const keyOf = (value: string) => createHash('sha256').update(limitKey(value)).digest('base64url')

/**
 * Counts one attempt against a limit that guards against guessing or abuse. Counts in the database immediately, so that
 * servers, restarts and parallel requests share the count. Call it before the work, not after.
 * @param key who made the attempt: an address or a user
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function countAttempt(limit: AttemptLimit, key: string): Promise<void> {
  const { waitMs } = await take(limit, key)
  if (waitMs === undefined) return
  limitsReached.add({ limit: limit.name })
  if (!limit.isFirstOfTwo) log.warn('a limit was reached', { name: limit.name })
  throw new AppError('RATE_LIMITED', limit.message, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Counts one attempt without rejecting it. @returns the number of attempts so far */
export const countAttemptOnly = async (limit: AttemptLimit, key: string): Promise<number> =>
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

/** A counted attempt. */
export type Counted = [limit: AttemptLimit, key: string]

/**
 * Runs the work of a counted attempt, and refunds the attempt if the server was too busy to start the work.
 * @throws what the work throws
 */
export async function refundIfBusy<T>(counted: Counted[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error) && error.code === 'SERVICE_UNAVAILABLE') {
      await Promise.allSettled(counted.map(([limit, key]) => refundAttempt(limit, key)))
    }
    throw error
  }
}

/** Refunds one attempt of a key. */
export async function refundAttempt(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).reward(keyOf(key), 1)
}

/** Resets the attempts of a key, after a success proved that they were no guesses. */
export async function resetAttempts(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).delete(keyOf(key))
}

/**
 * Returns the key that a limit counts: for an IPv6 address its /64 network, since its holder has 2^64 addresses (RFC 6177) and
 * could pass every limit with the next one; every other key unchanged. See ADR 0027.
 * @param key an address, or another key
 */
export function limitKey(key: string): string {
  if (!key.includes(':') || !ipaddr.IPv6.isValid(key)) return key
  const { parts } = ipaddr.IPv6.parse(key)
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/** The owner of something, and how many of the kind it can have. */
export type Quota = {
  of: { table: 'users' | 'workspaces' | 'projects'; id: string }
  most: number
  message: string
}

/**
 * Rejects one more of a kind if its owner has the maximum. Locks the owner's row until the transaction ends, so that two
 * parallel requests cannot both take the last place.
 * @param count returns how many there are
 * @throws AppError CONFLICT with the message, which says how to make room
 */
export async function requireBelowLimit(
  tx: Db,
  { of, most, message }: Quota,
  count: () => Promise<number>,
): Promise<void> {
  await tx.$queryRawUnsafe(`SELECT id FROM ${of.table} WHERE id = $1::uuid FOR NO KEY UPDATE`, of.id)
  if ((await count()) >= most) throw new AppError('CONFLICT', message)
}
