import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import type { Prisma } from '@/lib/generated/prisma/client'

/** The ID token algorithms that an app can choose. */
export const signingAlgs = ['RS256', 'ES256', 'EdDSA'] as const
export type SigningAlg = (typeof signingAlgs)[number]

/** The default ID token algorithm (OpenID Connect Registration section 2). */
export const defaultSigningAlg: SigningAlg = 'RS256'

/** A private JWK (RFC 7517) with the fields that oidc-provider needs. */
export type PrivateJwk = JsonWebKey & { kid: string; alg: SigningAlg; use: 'sig' }

const generate = promisify(generateKeyPair)

const pair = (alg: SigningAlg) =>
  alg === 'ES256'
    ? generate('ec', { namedCurve: 'P-256' })
    : alg === 'EdDSA'
      ? generate('ed25519')
      : generate('rsa', { modulusLength: 2048 })

async function generateKey(alg: SigningAlg): Promise<PrivateJwk> {
  const { privateKey } = await pair(alg)
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(12).toString('base64url'),
    alg,
    use: 'sig',
  }
}

/** Returns the public part of a key. */
function publicPart(jwk: PrivateJwk): JsonWebKey {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest } = jwk
  return rest
}

/**
 * The published signing keys. For each algorithm, the first key signs tokens. This key is the newest key
 * whose start time has passed. It is followed by old keys, which stay published until the last token that
 * they signed has expired, and by new keys whose start time is in the future.
 */
export type KeyRing = {
  /** A value that changes if a key is added or removed, or if another key starts to sign. */
  fingerprint: string
  keys: PrivateJwk[]
}

/**
 * The ID of the advisory lock for changes to the keys. With this lock, replicas that start at the same time
 * create only one set of keys.
 */
const keyLock = 5_201_402_119

const liveKeys = statement<{ kid: string; sealed_private: Buffer }, []>(
  'signing-keys-live',
  `SELECT kid, sealed_private FROM signing_keys
    WHERE expires_at IS NULL OR expires_at > now()
    ORDER BY signs_from <= now() DESC, signs_from DESC, kid`,
)

const liveFingerprint = statement<{ fingerprint: string | null }, []>(
  'signing-keys-fingerprint',
  `SELECT string_agg(kid, ' ' ORDER BY signs_from <= now() DESC, signs_from DESC, kid) AS fingerprint
     FROM signing_keys WHERE expires_at IS NULL OR expires_at > now()`,
)

/**
 * Returns the fingerprint of the current key ring, or an empty text if there are no keys. Uses one
 * inexpensive statement, so callers can check often whether the keys changed.
 */
export async function currentFingerprint(): Promise<string> {
  const [row] = await liveFingerprint()
  return row?.fingerprint ?? ''
}

/**
 * Returns the current key ring, decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS. Creates the keys if there
 * are none.
 * @throws Error if neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts the keys
 */
export async function loadKeyRing(): Promise<KeyRing> {
  let rows = await liveKeys()
  if (rows.length === 0) {
    await createMissingKeys()
    rows = await liveKeys()
  }
  return {
    fingerprint: rows.map((row) => row.kid).join(' '),
    // Sort by algorithm, with the default algorithm first. Keys with the same algorithm stay in the order of
    // the query.
    keys: rows
      .map((row) => JSON.parse(unseal(row.sealed_private, 'signing-key')) as PrivateJwk)
      .sort((one, other) => signingAlgs.indexOf(one.alg) - signingAlgs.indexOf(other.alg)),
  }
}

/** Creates a key for each algorithm that has none. Concurrent processes create only one key per algorithm. */
async function createMissingKeys(): Promise<void> {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  await underKeyLock(async (tx) => {
    const present = await tx.signingKey.findMany({ select: { alg: true } })
    const missing = fresh.filter((key) => !present.some(({ alg }) => alg === key.alg))
    await storeKeys(tx, missing, new Date())
  })
}

/**
 * Long transaction timeouts, in milliseconds. With these timeouts, startup does not fail if several processes
 * start together on a slow machine.
 */
const patience = { maxWait: 30_000, timeout: 60_000 }

/** Runs `work` in a transaction that holds the lock for the signing keys. */
const underKeyLock = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${keyLock}::bigint)`
    return work(tx)
  }, patience)

/** Encrypts and stores keys with the time from which they sign. */
async function storeKeys(tx: Db, keys: PrivateJwk[], signsFrom: Date): Promise<void> {
  await tx.signingKey.createMany({
    data: keys.map((key) => ({
      kid: key.kid,
      alg: key.alg satisfies SigningAlg,
      publicJwk: publicPart(key) as Prisma.InputJsonObject,
      sealedPrivate: new Uint8Array(seal(JSON.stringify(key), 'signing-key')),
      signsFrom,
    })),
  })
}

/**
 * The number of seconds that a key stays published after it stops signing. ID tokens that the key signed are
 * valid for up to an hour. The other ten minutes are a margin, for example for cached key sets.
 */
const keepAfterSeconds = 3600 + 600

type Rotation = {
  /**
   * The number of seconds that the new keys are published before they sign. Ignored if `withdraw` is true.
   */
  aheadSeconds: number
  /**
   * Whether the current keys leaked and must be withdrawn. If true, the new keys sign immediately and are the
   * only published keys.
   */
  withdraw?: boolean
  /** A function that records the event. It runs in the rotation's transaction. */
  record: (tx: Db, kids: string[]) => Promise<void>
}

/**
 * Rotates the signing keys. New keys are published immediately but sign only after `aheadSeconds`, so that
 * clients can fetch the new keys before then. Old keys stay published until the last token that they signed
 * has expired. Announced keys that have not signed yet are deleted. With `withdraw`, all existing keys are
 * deleted, and the new keys sign immediately. Replicas load the new keys without a restart.
 * @returns the IDs of the new keys and the time from which they sign
 */
export async function rotateKeys({ aheadSeconds, withdraw = false, record }: Rotation) {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  const kids = fresh.map((key) => key.kid)
  const signsFrom = await underKeyLock(async (tx) => {
    const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT now()`
    const from = new Date(row.now.getTime() + (withdraw ? 0 : aheadSeconds * 1000))
    if (withdraw) await tx.signingKey.deleteMany()
    await tx.$executeRaw`DELETE FROM signing_keys WHERE signs_from > now() OR expires_at < now()`
    // Set the expiry of the keys that sign now. Keys that an earlier rotation retired keep their expiry.
    await tx.$executeRaw`
      UPDATE signing_keys SET expires_at = ${new Date(from.getTime() + keepAfterSeconds * 1000)}
       WHERE NOT EXISTS (SELECT FROM signing_keys newer
                          WHERE newer.alg = signing_keys.alg AND newer.signs_from > signing_keys.signs_from)`
    await storeKeys(tx, fresh, from)
    await record(tx, kids)
    return from
  })
  log.info('the signing keys were rotated', { kids, signsFrom })
  return { kids, signsFrom }
}
