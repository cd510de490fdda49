import { createHmac } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import { hashPassword, needsRehash, verifyPassword } from '@/lib/base/credentials/password'
import {
  type AttemptLimit,
  type Counted,
  countAttempt,
  countAttemptOnly,
  refundAttempt,
  refundIfBusy,
  resetAttempts,
} from '@/lib/base/db/limits'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { loggedAddress } from '@/lib/base/http/client-address'
import type { Visitor } from '@/lib/base/http/visitor'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { knownPlace, type ProvenUser, placeOf } from '../sessions/start-session'
import { signInInput } from './input'

/**
 * Checks an email address and password, and returns the user. Takes the same time whether or not the email
 * address has an account. A failed sign-in counts toward the limits below.
 * @param input `email`, `password`
 * @returns the user's ID and password hash
 * @throws AppError UNAUTHENTICATED (one message for all causes), RATE_LIMITED with `retryAfter`,
 * SERVICE_UNAVAILABLE if too many users are signing in (the attempt does not count)
 */
export async function signIn(visitor: Visitor, input: unknown): Promise<ProvenUser> {
  const { email, password } = parseInput(signInInput, input)
  const { user, matches, passwordHash } = await countedSignIn(visitor, email, async () => {
    const user = await prisma().user.findUnique({
      where: { email },
      select: { id: true, passwordHash: true, suspendedAt: true },
    })
    return { user, ...(await checkPassword(email, user, password)) }
  })
  if (!user || !matches || user.suspendedAt) {
    const reason = !user ? 'unknown account' : matches ? 'suspended' : 'wrong password'
    log.info('a sign-in was refused', { method: 'password', reason, client: loggedAddress(visitor.ip) })
    throw new AppError('UNAUTHENTICATED', 'The email or password is incorrect.')
  }
  await refundSignIn(visitor, email)
  return { userId: user.id, passwordHash }
}

/** The number of milliseconds for which a sample of password hashes is cached. */
const sampleMs = 10 * 60_000

/** The approximate number of users in a sample. If fewer users exist, the sample contains all of them. */
const sampled = 2_000

const tableSize = statement<{ rows: number }, []>(
  'users-estimate',
  `SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = 'users'::regclass`,
)

/**
 * Reads a sample of users, and returns one hash of each kind (algorithm, parameters, and length) with the
 * number of sampled users who have a hash of that kind.
 */
const hashKinds = statement<{ hash: string; users: number }, [percent: number]>(
  'password-hash-kinds',
  `SELECT min(password_hash) AS hash, count(*)::int AS users
     FROM users TABLESAMPLE SYSTEM ($1::real) WHERE password_hash IS NOT NULL
    GROUP BY CASE WHEN password_hash LIKE '$2%' THEN left(password_hash, 7)
                  ELSE regexp_replace(password_hash, '[$][^$]*[$][^$]*$', '') END,
             length(password_hash)
    ORDER BY min(left(password_hash, 7)), length(min(password_hash)), users`,
)

type Sample = { at: number; kinds: Promise<{ hash: string; users: number }[]> }

async function takeSample() {
  const [{ rows } = { rows: 0 }] = await tableSize()
  // Sample all users until PostgreSQL has analyzed the table, because the number of rows is unknown until
  // then.
  return hashKinds(rows > sampled ? Math.min(100, (100 * sampled) / rows) : 100)
}

/**
 * Returns a hash to check if the email address has no account or belongs to a user without a password.
 * Checking an imported hash takes a different time than checking one of Latchkey's own hashes, so always
 * checking the same kind would reveal unknown addresses. For a given sample of users, the same unknown email
 * address always has the same kind of hash. Over all email addresses, the kinds occur in the same proportions
 * as in the sample.
 * @returns undefined if no sampled user has a password
 */
async function hashInstead(email: string): Promise<string | undefined> {
  const state = remember<{ sample?: Sample }>('password-hash-kinds', () => ({}))
  if (!state.sample || performance.now() - state.sample.at > sampleMs) {
    const sample = { at: performance.now(), kinds: takeSample() }
    state.sample = sample
    sample.kinds.catch(() => {
      if (state.sample === sample) delete state.sample
    })
  }
  const kinds = await state.sample.kinds
  const users = kinds.reduce((sum, kind) => sum + kind.users, 0)
  const digest = createHmac('sha256', config().SECRET_KEY).update(`password hash of ${email}`).digest()
  let left = (digest.readUInt32BE(0) / 2 ** 32) * users
  return kinds.find((kind) => {
    left -= kind.users
    return left < 0
  })?.hash
}

/**
 * Checks the password of a user who signs in. Takes the same time whether or not the email address has an
 * account. If the password is correct, replaces an imported or outdated hash with one of Latchkey's own.
 * @param email the parsed email address, even if it has no account
 * @param user null if the email address has no account
 * @returns whether the password is correct, and the hash that is now stored (null if there is none)
 * @throws AppError SERVICE_UNAVAILABLE if too many users are signing in
 */
export async function checkPassword(
  email: string,
  user: { id: string; passwordHash: string | null } | null,
  password: string,
): Promise<{ matches: boolean; passwordHash: string | null }> {
  const stored = user?.passwordHash ?? null
  const matches = await verifyPassword(stored, password, await hashInstead(email))
  if (!matches || !user || stored === null || !needsRehash(stored)) return { matches, passwordHash: stored }
  const passwordHash = await hashPassword(password)
  const { count } = await prisma().user.updateMany({
    where: { id: user.id, passwordHash: stored },
    data: { passwordHash },
  })
  if (count > 0) return { matches, passwordHash }
  // No row was updated, because another sign-in replaced the hash first or the user changed the password.
  // Check the password against the current hash.
  const now = await prisma().user.findUnique({ where: { id: user.id }, select: { passwordHash: true } })
  const current = now?.passwordHash ?? null
  return { matches: await verifyPassword(current, password), passwordHash: current }
}

/**
 * The limits on guessing (ADR 0027). Each IP address can make 20 attempts a minute. Each account accepts 10
 * attempts an hour, and then one attempt a minute. Attempts are counted in the database, so that replicas
 * share the counts and the counts survive restarts. Sign-in to an account is slowed down but never locked.
 * While it is slowed down, each place where the user has signed in before has counts of its own. Otherwise,
 * an attacker who knows an email address could use the one attempt of every minute and lock its owner out.
 */
const address: AttemptLimit = {
  name: 'signin-address',
  points: 20,
  seconds: 60,
  message: 'Too many sign-in attempts from your IP address. Wait a moment, then try again.',
  sweeps: true,
}
const message = 'Too many sign-in attempts for this account. Wait a moment, then try again.'
const account: AttemptLimit = { name: 'signin-account', points: 10, seconds: 3600, message }
const pause: AttemptLimit = { name: 'signin-pause', points: 1, seconds: 60, message }

/** The limit on sign-ups per IP address. */
const signUps: AttemptLimit = {
  name: 'signup-address',
  points: 60,
  seconds: 60,
  message: 'Too many new accounts from your IP address. Try again in a minute.',
}

/**
 * Counts a sign-in attempt against the limits and then calls `look`. Counting comes first, so that parallel
 * attempts cannot bypass the limits. Without an IP address, only the account's limit applies.
 * @param email the email address, which does not need to have an account
 * @param look checks the password. If `look` throws because the server is busy, the attempt does not count.
 * @returns the result of `look`
 * @throws AppError RATE_LIMITED with `retryAfter`, and any error from `look`
 */
export async function countedSignIn<T>(visitor: Visitor, email: string, look: () => Promise<T>): Promise<T> {
  const { ip } = visitor
  const counted: Counted[] = [[account, email]]
  if (ip) {
    await countAttempt(address, ip)
    counted.push([address, ip])
  }
  let key = email
  let tries = await countAttemptOnly(account, email)
  const place = tries >= 10 ? await knownPlace(visitor, email) : undefined
  if (place) {
    key = atPlace(email, place)
    tries = await countAttemptOnly(account, key)
    counted.push([account, key])
  }
  if (tries >= 10) {
    // The tenth attempt is never rejected, but it starts the interval after which the eleventh is accepted.
    await (tries === 10 ? countAttemptOnly : countAttempt)(pause, key)
    counted.push([pause, key])
  }
  return refundIfBusy(counted, look)
}

const atPlace = (email: string, place: string) => `${email} from ${place}`

/**
 * Refunds a successful sign-in: subtracts one attempt from the IP address's count and resets the account's
 * counts.
 */
export async function refundSignIn(visitor: Visitor, email: string): Promise<void> {
  const { ip } = visitor
  await Promise.all([resetSignIn(visitor, email), ip ? refundAttempt(address, ip) : undefined])
}

/** Resets an account's counts, including those of the visitor's place. */
export async function resetSignIn(visitor: Visitor, email: string): Promise<void> {
  const keys = [email, atPlace(email, placeOf(visitor))]
  await Promise.all(keys.flatMap((key) => [resetAttempts(account, key), resetAttempts(pause, key)]))
}

/**
 * Hashes the password of a new user with `hash`. Limits the number of calls per IP address, because hashing
 * is expensive. Calls without an IP address are not limited. A call does not count if the server is too busy
 * to hash the password.
 * @returns the result of `hash`
 * @throws AppError RATE_LIMITED, and any error from `hash`
 */
export async function countedSignUp<T>(ip: string | undefined, hash: () => Promise<T>): Promise<T> {
  if (!ip) return hash()
  await countAttempt(signUps, ip)
  return refundIfBusy([[signUps, ip]], hash)
}
