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
  /** A name that is unique in the codebase. */
  name: string
  points: number
  seconds: number
  /** The public error message. */
  message: string
  /**
   * Whether a second limit counts the attempt if this limit is exceeded. The second limit then determines
   * whether the attempt is rejected, so exceeding this limit is not logged.
   */
  isFirstOfTwo?: boolean
  /**
   * Whether each process that uses this limit starts a timer that deletes rows more than an hour after they
   * expire. All limits share one table, so the timer deletes the rows of every limit. The timer starts when
   * the process first uses this limit, so set this option for exactly one limit, which every process uses.
   */
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

/**
 * Returns the hash under which attempts are counted, so that the table contains no email addresses or other
 * personal data.
 */
const keyOf = (value: string) => createHash('sha256').update(limitKey(value)).digest('base64url')

/**
 * Counts one attempt against a limit that prevents guessing or abuse. The database stores the count
 * immediately, so that it is shared by all servers and parallel requests and survives restarts. Call this
 * before you check the password or code of the attempt. Otherwise, parallel attempts could exceed the limit.
 * @param key the source of the attempt, such as an IP address or a user
 * @throws AppError RATE_LIMITED with `retryAfter` if the limit is exceeded
 */
export async function countAttempt(limit: AttemptLimit, key: string): Promise<void> {
  const { waitMs } = await take(limit, key)
  if (waitMs === undefined) return
  limitsReached.add({ limit: limit.name })
  if (!limit.isFirstOfTwo) log.warn('a limit was reached', { name: limit.name })
  throw new AppError('RATE_LIMITED', limit.message, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/**
 * Counts one attempt like `countAttempt`, for callers that silently skip an attempt beyond the limit.
 * @returns whether the attempt is within the limit
 */
export async function isWithinLimit(limit: AttemptLimit, key: string): Promise<boolean> {
  try {
    await countAttempt(limit, key)
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/**
 * Counts one attempt without rejecting it. @returns the number of attempts in the current period, including
 * this one
 */
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
 * Calls a function whose attempts have already been counted. If the function throws SERVICE_UNAVAILABLE, for
 * example because the server is too busy, refunds one attempt for each entry of `counted`.
 * @throws the function's error
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

/** Refunds one of a key's attempts. */
export async function refundAttempt(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).reward(keyOf(key), 1)
}

/** Resets a key's attempts after a successful attempt, which shows that the earlier ones were not guesses. */
export async function resetAttempts(limit: AttemptLimit, key: string): Promise<void> {
  await limiter(limit).delete(keyOf(key))
}

/**
 * Returns the key under which a limit counts attempts. For an IPv6 address, this is its /64 network. The
 * owner of such a network has 2^64 IP addresses (RFC 6177) and could otherwise avoid every limit by switching
 * between them. Returns every other key unchanged. See ADR 0027.
 * @param key an IP address, or any other key
 */
export function limitKey(key: string): string {
  if (!key.includes(':') || !ipaddr.IPv6.isValid(key)) return key
  const { parts } = ipaddr.IPv6.parse(key)
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/**
 * A quota: the owner of the resources, the maximum number of resources that the owner can have, and the error
 * message for more resources.
 */
export type Quota = {
  of: { table: 'users' | 'workspaces' | 'projects'; id: string }
  most: number
  message: string
}

/**
 * Rejects a new resource if its owner already has the maximum number. Locks the owner's row until the
 * transaction ends, so that two parallel requests cannot exceed the maximum.
 * @param count returns the current number of resources
 * @throws AppError CONFLICT with the quota's message, which explains what to do first
 */
export async function requireBelowLimit(
  tx: Db,
  { of, most, message }: Quota,
  count: () => Promise<number>,
): Promise<void> {
  await tx.$queryRawUnsafe(`SELECT id FROM ${of.table} WHERE id = $1::uuid FOR NO KEY UPDATE`, of.id)
  if ((await count()) >= most) throw new AppError('CONFLICT', message)
}
