import {
  type AttemptLimit,
  type Counted,
  countAttempt,
  countTries,
  forgetAttempts,
  giveBackAttempt,
  unlessTooBusy,
} from '@/lib/base/db/limits'

/**
 * Limits on guessing (decision 031), counted in the database at once, so that replicas and restarts share them:
 * 20 tries a minute per address; 10 an hour per account, after which an account takes one try a minute. An account is
 * slowed, never locked: a stranger who knows an e-mail address must not be able to keep its owner out for an hour.
 */
const address: AttemptLimit = {
  name: 'signin-address',
  points: 20,
  seconds: 60,
  message: 'Too many sign-in attempts from your address. Wait a moment, then try again.',
  sweeps: true,
}
const message = 'Too many sign-in attempts for this account. Wait a moment, then try again.'
const account: AttemptLimit = { name: 'signin-account', points: 10, seconds: 3600, message }
const pause: AttemptLimit = { name: 'signin-pause', points: 1, seconds: 60, message }

/** What one address may cause by creating accounts. */
const signUps: AttemptLimit = {
  name: 'signup-address',
  points: 60,
  seconds: 60,
  message: 'Too many new accounts from your address. Try again in a minute.',
}

/**
 * Counts one try, and then looks at the password, so that parallel tries cannot slip past the count.
 * @param look throws where the password could not be looked at, which costs no try
 * @throws AppError RATE_LIMITED with `retryAfter`, and what `look` throws
 */
export async function countedSignIn<T>(
  ip: string | undefined,
  email: string,
  look: () => Promise<T>,
): Promise<T> {
  const counted: Counted[] = [[account, email]]
  if (ip) {
    await countAttempt(address, ip)
    counted.push([address, ip])
  }
  const tries = await countTries(account, email)
  if (tries >= 10) {
    // The tenth try starts the clock for the eleventh.
    await (tries === 10 ? countTries : countAttempt)(pause, email)
    counted.push([pause, email])
  }
  return unlessTooBusy(counted, look)
}

/** A sign-in that worked was no guess: it gives the address its try back and forgets the account's count. */
export async function forgiveSignIn(ip: string | undefined, email: string): Promise<void> {
  await Promise.all([
    forgetAttempts(account, email),
    forgetAttempts(pause, email),
    ip ? giveBackAttempt(address, ip) : undefined,
  ])
}

/** Bounds the password hashing one address can cause by creating accounts. @throws AppError RATE_LIMITED, and as `hash` */
export async function countedSignUp<T>(ip: string | undefined, hash: () => Promise<T>): Promise<T> {
  if (!ip) return hash()
  await countAttempt(signUps, ip)
  return unlessTooBusy([[signUps, ip]], hash)
}
