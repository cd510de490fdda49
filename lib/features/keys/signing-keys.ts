import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import type { Prisma } from '@/lib/generated/prisma/client'

/** The algorithms an app may choose for its id_tokens. */
export const signingAlgs = ['RS256', 'ES256', 'EdDSA'] as const
export type SigningAlg = (typeof signingAlgs)[number]

/** What id_tokens are signed with where an app says nothing (OpenID Connect Registration section 2). */
export const defaultSigningAlg: SigningAlg = 'RS256'

/** A private JWK as the OAuth engine takes it (RFC 7517). */
export type PrivateJwk = JsonWebKey & { kid: string; alg: SigningAlg; use: 'sig' }

const generate = promisify(generateKeyPair)

const pair = (alg: SigningAlg) =>
  alg === 'ES256'
    ? generate('ec', { namedCurve: 'P-256' })
    : alg === 'EdDSA'
      ? generate('ed25519')
      : generate('rsa', { modulusLength: 2048 })

/** Makes a new signing key. */
async function generateKey(alg: SigningAlg): Promise<PrivateJwk> {
  const { privateKey } = await pair(alg)
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(12).toString('base64url'),
    alg,
    use: 'sig',
  }
}

/** The part of a key that is published. */
function publicPart(jwk: PrivateJwk): JsonWebKey {
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest } = jwk
  return rest
}

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
const underKeyLock = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${keyLock}::bigint)`
    return work(tx)
  }, patience)

/** Stores keys, sealed, that sign from a time on. */
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

/** How long an id_token, and a client's or proxy's copy of the key set, may live after the key stopped signing. */
const keepAfterSeconds = 3600 + 600

type Rotation = {
  /** How long the new keys are published before they sign. */
  aheadSeconds: number
  /** For keys that leaked: the new ones sign now, and no other is published any more, whatever it has signed. */
  withdraw?: boolean
  /** Written in the same step, such as the event of it. */
  record: (tx: Db, kids: string[]) => Promise<void>
}

/**
 * Replaces the signing keys with overlap: the new ones are published at once and sign after `aheadSeconds`, by when
 * every client has fetched the key set again; the old ones stay published until the last token they signed has expired.
 * Keys that were announced and have not signed yet make room: what is asked for last counts. Replicas pick this up by
 * themselves.
 * @returns the ids of the new keys and when they start to sign
 */
export async function rotateKeys({ aheadSeconds, withdraw = false, record }: Rotation) {
  const fresh = await Promise.all(signingAlgs.map(generateKey))
  const kids = fresh.map((key) => key.kid)
  const signsFrom = await underKeyLock(async (tx) => {
    const [row] = await tx.$queryRaw<[{ now: Date }]>`SELECT now()`
    const from = new Date(row.now.getTime() + (withdraw ? 0 : aheadSeconds * 1000))
    if (withdraw) await tx.signingKey.deleteMany()
    await tx.$executeRaw`DELETE FROM signing_keys WHERE signs_from > now() OR expires_at < now()`
    // Those that sign today. What an earlier rotation retired keeps its end.
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
