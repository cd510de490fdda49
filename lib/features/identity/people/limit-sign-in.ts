import { createHash } from 'node:crypto'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { countedAs } from '@/lib/base/db/counted-as'
import { pool } from '@/lib/base/db/pool'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'

/**
 * Limits on guessing (decision 031), counted in the database at once, so that replicas and restarts share them:
 * 20 tries a minute per address; 10 an hour per account, after which an account takes one try a minute. An account is
 * slowed, never locked: a stranger who knows an e-mail address must not be able to keep its owner out for an hour.
 */
const limiters = () =>
  remember('sign-in-limits', () => {
    const limiter = (keyPrefix: string, points: number, duration: number, clearExpiredByTimeout = false) =>
      new RateLimiterPostgres({
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout,
        keyPrefix,
        points,
        duration,
      })
    return {
      address: limiter('signin-address', 20, 60, true),
      account: limiter('signin-account', 10, 3600),
      pause: limiter('signin-pause', 1, 60),
      signUp: limiter('signup-address', 60, 60),
    }
  })

/** E-mail addresses do not belong in a table of counters. */
const accountKey = (email: string) => createHash('sha256').update(email).digest('base64url')

const isRefusal = (error: unknown): error is RateLimiterRes =>
  typeof error === 'object' && error !== null && 'msBeforeNext' in error

async function take(limiter: RateLimiterPostgres, key: string, message: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key)
  } catch (error) {
    if (!isRefusal(error)) throw error
    log.warn('a limit was reached', { name: limiter.keyPrefix })
    limitsReached.add({ limit: limiter.keyPrefix })
    throw new AppError('RATE_LIMITED', message, {
      retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
    })
  }
}

const fromHere = 'Too many sign-in attempts from your address. Wait a moment, then try again.'
const forAccount = 'Too many sign-in attempts for this account. Wait a moment, then try again.'

/**
 * Counts one try before the password is looked at, so that parallel tries cannot slip past the count.
 * @throws AppError RATE_LIMITED with `retryAfter`
 */
export async function countSignIn(ip: string | undefined, email: string): Promise<void> {
  const { address, account, pause } = limiters()
  if (ip) await take(address, countedAs(ip), fromHere)
  const key = accountKey(email)
  const tries = await account.consume(key).catch((error) => {
    if (isRefusal(error)) return error
    throw error
  })
  // The tenth try starts the clock for the eleventh.
  if (tries.consumedPoints === 10) await pause.consume(key).catch(() => undefined)
  else if (tries.consumedPoints > 10) await take(pause, key, forAccount)
}

/** A sign-in that worked was no guess: it gives the address its try back and forgets the account's count. */
export async function forgiveSignIn(ip: string | undefined, email: string): Promise<void> {
  const { address, account, pause } = limiters()
  const key = accountKey(email)
  await Promise.all([
    account.delete(key),
    pause.delete(key),
    ip ? address.reward(countedAs(ip), 1) : undefined,
  ])
}

/** Bounds the password hashing one address can cause by creating accounts. @throws AppError RATE_LIMITED */
export async function countSignUp(ip: string | undefined): Promise<void> {
  const message = 'Too many new accounts from your address. Try again in a minute.'
  if (ip) await take(limiters().signUp, countedAs(ip), message)
}
