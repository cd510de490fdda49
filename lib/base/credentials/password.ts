import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash, verify, verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import pLimit from 'p-limit'
import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { remember } from '@/lib/base/process/remember'

/**
 * The parts of a password hash from another product. Sign-in verifies the hash with its original parameters,
 * so the import limits its cost. The accepted formats are variants of the Modular Crypt Format:
 * - `$2b$10$...`: bcrypt (2a, 2b, 2y)
 * - `$argon2id$v=19$m=7168,t=5,p=1$salt$digest`: argon2id, argon2i, argon2d
 * - `$pbkdf2-sha512$210000$salt$digest`: PBKDF2 with SHA-1 (`pbkdf2`), SHA-256, or SHA-512
 * - `$scrypt$ln=16,r=8,p=1$salt$digest`: scrypt
 */
type Parsed =
  | { kind: 'bcrypt'; cost: number }
  | { kind: 'argon2'; memory: number; passes: number; lanes: number }
  | { kind: 'pbkdf2'; digest: string; iterations: number; salt: Buffer; key: Buffer }
  | { kind: 'scrypt'; log: number; blocks: number; lanes: number; salt: Buffer; key: Buffer }

/**
 * The number of bytes that each hash function produces. PBKDF2 repeats all rounds for each block of this
 * size, so longer keys cost more time.
 */
const digestBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }

/**
 * The maximum costs of an imported hash. At these limits, a sign-in takes a second or two on a single slow
 * processor and delays other sign-ins.
 */
const most = {
  bcryptCost: 14,
  argon2MiB: 128,
  /** The memory in KiB times the number of passes. */
  argon2Work: 2 ** 20,
  lanes: 16,
  /**
   * The number of iterations times the number of blocks in the key. The limit allows Keycloak's default for
   * SHA-1, which is 1,300,000 iterations for each of four blocks.
   */
  pbkdf2Rounds: 6_000_000,
  scryptMiB: 128,
  /** The product of N, r, and p. */
  scryptWork: 2 ** 20,
}

/**
 * Thrown for a hash that cannot be imported. The message completes "The password hash …" and contains no part
 * of the hash.
 */
export class HashRefusal extends Error {
  override name = 'HashRefusal'
}

/**
 * Validates an imported hash and returns it unchanged.
 * @param text a hash in one of the formats listed for `Parsed`; PBKDF2 and scrypt hashes can omit the padding
 * and use `.` instead of `+`
 * @throws HashRefusal if the format is unknown, or if the hash is malformed or too expensive to verify
 */
export function readImportedHash(text: string): string {
  const parsed = parse(text)
  if (!parsed) {
    throw new HashRefusal(
      'is in an unknown format; use bcrypt, PBKDF2 (SHA-1, SHA-256, SHA-512), scrypt, or argon2',
    )
  }
  const excess = excessOf(parsed)
  if (excess) throw new HashRefusal(`would take too long to check: ${excess}`)
  return text
}

/**
 * Verifies a password against an imported hash on a separate thread.
 * @param stored the return value of `readImportedHash`
 * @returns whether the password matches; false if the hash is malformed or exceeds a limit
 */
export async function matchesImported(stored: string, password: string): Promise<boolean> {
  const parsed = parse(stored)
  if (!parsed || excessOf(parsed)) return false
  if (parsed.kind === 'bcrypt') return verifyBcrypt(password, stored)
  if (parsed.kind === 'argon2') return verifyArgon2(stored, password)
  return timingSafeEqual(await derive(parsed, password), parsed.key)
}

const derivePbkdf2 = promisify(pbkdf2)

function derive(parsed: Extract<Parsed, { key: Buffer }>, password: string): Promise<Buffer> {
  const { salt, key } = parsed
  if (parsed.kind === 'pbkdf2')
    return derivePbkdf2(password, salt, parsed.iterations, key.length, parsed.digest)
  const { log, blocks: r, lanes: p } = parsed
  const options = { N: 2 ** log, r, p, maxmem: (most.scryptMiB + 32) * 2 ** 20 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, key.length, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    )
  })
}

function parse(text: string): Parsed | undefined {
  const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(text)
  if (bcrypt) return atLeast(4, { kind: 'bcrypt', cost: Number(bcrypt[1]) }, Number(bcrypt[1]))
  const [, name = '', parameters = '', salt = '', key = ''] =
    /^\$([a-z0-9-]+)\$((?:v=\d+\$)?[a-z0-9=,]+)\$([A-Za-z0-9+/.]+=*)\$([A-Za-z0-9+/.]+=*)$/.exec(text) ?? []
  const bytes = { salt: decode(salt), key: decode(key) }
  // Reject a hash with a short digest, because too many passwords would match it. Also reject a short salt
  // and a very long digest.
  if (bytes.salt.length < 4 || bytes.key.length < 16 || bytes.key.length > 128) return undefined
  if (/^argon2(id|i|d)$/.test(name)) {
    const [, memory, passes, lanes] = (/^v=(?:16|19)\$m=(\d+),t=(\d+),p=(\d+)$/.exec(parameters) ?? []).map(
      Number,
    )
    if (!memory || !passes || !lanes) return undefined
    return { kind: 'argon2', memory, passes, lanes }
  }
  if (name === 'scrypt') {
    const [, log, blocks, lanes] = (/^ln=(\d+),r=(\d+),p=(\d+)$/.exec(parameters) ?? []).map(Number)
    if (!log || !blocks || !lanes) return undefined
    return { kind: 'scrypt', log, blocks, lanes, ...bytes }
  }
  const digest = /^pbkdf2(?:-(sha1|sha256|sha512))?$/.exec(name)
  const iterations = Number(/^(?:i=)?(\d+)$/.exec(parameters)?.[1] ?? 0)
  if (!digest || iterations < 1) return undefined
  return { kind: 'pbkdf2', digest: digest[1] ?? 'sha1', iterations, ...bytes }
}

const atLeast = <T>(least: number, parsed: T, value: number): T | undefined =>
  value >= least ? parsed : undefined

/** Decodes base64 like Node, and also accepts passlib's alphabet, which uses `.` instead of `+`. */
const decode = (text: string): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')

/** Returns an explanation of why the hash is too expensive, or undefined if it is within all limits. */
function excessOf(parsed: Parsed): string | undefined {
  switch (parsed.kind) {
    case 'bcrypt':
      return parsed.cost > most.bcryptCost ? `a bcrypt cost above ${most.bcryptCost}` : undefined
    case 'argon2': {
      const { memory, passes, lanes } = parsed
      const fits =
        memory <= most.argon2MiB * 1024 && memory * passes <= most.argon2Work && lanes <= most.lanes
      return fits ? undefined : `argon2 with more than ${most.argon2MiB} MiB, or too many passes or lanes`
    }
    case 'pbkdf2': {
      const rounds = parsed.iterations * Math.ceil(parsed.key.length / (digestBytes[parsed.digest] as number))
      return rounds > most.pbkdf2Rounds ? `more than ${most.pbkdf2Rounds} PBKDF2 rounds` : undefined
    }
    case 'scrypt': {
      const { log, blocks, lanes } = parsed
      const fits =
        128 * 2 ** log * blocks <= most.scryptMiB * 2 ** 20 && 2 ** log * blocks * lanes <= most.scryptWork
      return fits ? undefined : `scrypt with more than ${most.scryptMiB} MiB, or too many lanes`
    }
  }
}

/**
 * The parameters of our own hashes: OWASP's first recommendation for argon2id, with 19 MiB, two passes, and
 * one lane. In the library, algorithm 2 is argon2id.
 */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The default number of threads in Node's thread pool (libuv). */
const usualThreads = 4

/**
 * The maximum number of waiting hashes. If this many hashes are waiting, the last one starts after a few
 * seconds.
 */
const mostWaiting = 256

/**
 * Returns this process's limiter for concurrent hashes. If there are several processors and threads, the
 * limiter keeps at least one of each free for signatures, name lookups, and other requests. See ADR 0034.
 */
const limit = () =>
  remember('password-hashes', () => {
    const threads = Number(process.env.UV_THREADPOOL_SIZE) || usualThreads
    const atOnce = Math.max(1, Math.min(availableParallelism(), threads) - 1)
    return pLimit(atOnce)
  })

/**
 * Calls a function when the limiter allows another concurrent hash.
 * @throws AppError SERVICE_UNAVAILABLE if too many hashes are waiting
 */
function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
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
  limitConcurrency(() => hash(password, parameters))

/**
 * A hash of a random password. If the account does not exist or has no password, and the caller provides no
 * other hash, the password is verified against this hash.
 */
let decoy: Promise<string> | undefined

/** The prefix of every hash that `hashPassword` returns. */
const ownPrefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

/**
 * Returns whether a stored hash uses another algorithm or other parameters than `hashPassword`, as almost all
 * imported hashes do. A successful sign-in replaces such a hash.
 */
export const needsRehash = (stored: string): boolean => !stored.startsWith(ownPrefix)

/**
 * Returns whether a password matches the stored hash. The check takes the same time if there is no hash, so
 * that the duration does not reveal which accounts exist.
 * @param stored the stored hash, or null if the user is unknown or has no password; if null, the result is
 * false
 * @param instead the hash to verify if `stored` is null, chosen so that the check takes as long as for a real
 * user of this instance; by default, a hash with our own parameters
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
  const matches = await limitConcurrency(() => check().catch(() => false))
  return matches && stored != null
}
