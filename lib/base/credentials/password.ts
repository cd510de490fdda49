import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { remember } from '@/lib/base/process/remember'
import { takeTurns } from '@/lib/base/process/take-turns'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. Algorithm 2 is argon2id. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Node's own number of threads for such work, where nothing else is set. */
const usualThreads = 4

/** So many may wait for their hash, which the last of them gets after some seconds. Past that nobody is helped by waiting. */
const mostWaiting = 256

/**
 * Hashes in turns: one processor and one thread stay free, so that tokens are signed, names looked up and requests
 * answered however many people sign in at once.
 * See decision 111.
 */
const turns = () =>
  remember('password-hashes', () => {
    const threads = Number(process.env.UV_THREADPOOL_SIZE) || usualThreads
    const atOnce = Math.max(1, Math.min(availableParallelism(), threads) - 1)
    return takeTurns(
      atOnce,
      mostWaiting,
      () =>
        new AppError('SERVICE_UNAVAILABLE', 'Too many people sign in at this moment. Try again shortly.', {
          retryAfter: outageRetrySeconds,
        }),
    )
  })

/**
 * Hashes a password with argon2id.
 * @returns the PHC string to store
 * @throws AppError SERVICE_UNAVAILABLE when too many wait already
 */
export const hashPassword = (password: string): Promise<string> => turns()(() => hash(password, parameters))

/** A hash of nothing anyone knows: checked when there is no such person, so that the answer takes as long. */
let decoy: Promise<string> | undefined

/**
 * Checks a password in the same time whether or not there is a hash to check against.
 * @param stored the PHC string, or null for an unknown person or one without a password
 * @throws AppError SERVICE_UNAVAILABLE when too many wait already
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID(), parameters)
  const against = stored ?? (await decoy)
  const matches = await turns()(() => verify(against, password).catch(() => false))
  return matches && stored != null
}
