import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { remember } from '@/lib/base/process/remember'
import { matchesImported } from './imported-hash'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. Algorithm 2 is argon2id. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Node's own number of threads for such work, where nothing else is set. */
const usualThreads = 4

/** How many hashes can wait. The last of them takes some seconds; a longer wait helps no one. */
const mostWaiting = 256

/**
 * Limits concurrent hashes: one processor and one thread stay free for signatures, name lookups, and other requests.
 * See decision 111.
 */
const limit = () =>
  remember('password-hashes', () => {
    const threads = Number(process.env.UV_THREADPOOL_SIZE) || usualThreads
    const atOnce = Math.max(1, Math.min(availableParallelism(), threads) - 1)
    return pLimit(atOnce)
  })

/** @throws AppError SERVICE_UNAVAILABLE if too many hashes are waiting */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (limit().pendingCount >= mostWaiting) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Too many users are signing in. Try again in a few seconds.', {
      retryAfter: outageRetrySeconds,
    })
  }
  return limit()(work)
}

/**
 * Hashes a password with argon2id.
 * @returns the PHC string to store
 * @throws AppError SERVICE_UNAVAILABLE if too many hashes are waiting
 */
export const hashPassword = async (password: string): Promise<string> =>
  inTurn(() => hash(password, parameters))

/** A hash of a password that no one knows, for accounts that do not exist or have no password. */
let decoy: Promise<string> | undefined

/** What every hash of `hashPassword` begins with. */
const ownPrefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

/** Returns whether a stored hash was imported, or made with other parameters, so that a successful sign-in replaces it. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(ownPrefix)

/**
 * Checks a password in the same time whether or not there is a hash to check against.
 * @param stored the PHC string, or null for an unknown user or one without a password
 * @param instead a hash that takes as long as the hash of a user of this instance might; by default, one of
 *   `hashPassword`
 * @throws AppError SERVICE_UNAVAILABLE if too many hashes are waiting
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  instead?: string,
): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID(), parameters)
  const against = stored ?? instead ?? (await decoy)
  const check = needsRehash(against)
    ? () => matchesImported(against, password)
    : () => verify(against, password)
  const matches = await inTurn(() => check().catch(() => false))
  return matches && stored != null
}
