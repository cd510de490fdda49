import { seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import type { Prisma } from '@/lib/generated/prisma/client'
import { generateKey, type PrivateJwk, publicPart, type SigningAlg, signingAlgs } from './generate-key'

/**
 * The keys that count now. Of each algorithm the first one signs: the newest whose time to sign has come; keys that are
 * published ahead of their time, and those kept until the last token they signed has expired, follow.
 */
export type KeyRing = {
  /** Names the keys and their order; two rings with one fingerprint are the same. */
  fingerprint: string
  keys: PrivateJwk[]
}

/** Writers of signing keys take this advisory lock, so that replicas starting together make one set. */
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

/** The fingerprint that `loadKeyRing` would give now; one cheap statement, asked often. */
export async function currentFingerprint(): Promise<string> {
  const [row] = await liveFingerprint()
  return row?.fingerprint ?? ''
}

/**
 * Reads the keys that count now, opened with SECRET_KEY. Makes them first where there are none.
 * @throws Error when SECRET_KEY is not the one the keys were sealed with
 */
export async function loadKeyRing(): Promise<KeyRing> {
  let rows = await liveKeys()
  if (rows.length === 0) {
    await createMissingKeys()
    rows = await liveKeys()
  }
  return {
    fingerprint: rows.map((row) => row.kid).join(' '),
    // The default algorithm first; within one algorithm the order of the statement stays.
    keys: rows
      .map((row) => JSON.parse(unseal(row.sealed_private, 'signing-key')) as PrivateJwk)
      .sort((one, other) => signingAlgs.indexOf(one.alg) - signingAlgs.indexOf(other.alg)),
  }
}

/** Makes a key for each algorithm that has none, once, however many processes ask at the same time. */
async function createMissingKeys(): Promise<void> {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  await underKeyLock(async (tx) => {
    const present = await tx.signingKey.findMany({ select: { alg: true } })
    const missing = fresh.filter((key) => !present.some(({ alg }) => alg === key.alg))
    await storeKeys(tx, missing, new Date())
  })
}

/** A start must not fail because several processes start together on a slow machine; milliseconds. */
const patience = { maxWait: 30_000, timeout: 60_000 }

/** Runs work on the signing keys while no other process can change them. */
export const underKeyLock = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${keyLock}::bigint)`
    return work(tx)
  }, patience)

/** Stores keys, sealed, that sign from a time on. */
export async function storeKeys(tx: Db, keys: PrivateJwk[], signsFrom: Date): Promise<void> {
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
