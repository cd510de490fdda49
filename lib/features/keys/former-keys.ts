import { createHash } from 'node:crypto'
import { derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'

/**
 * The purpose of the keys that hash recovery codes. The server stores only the hashes of the codes, so it
 * cannot hash the codes with a new key. It must therefore keep the former keys.
 */
const purpose = 'recovery-code'

const plainBytes = (bytes: Buffer) => Uint8Array.from(bytes)

const fingerprintOf = (key: Buffer) => plainBytes(createHash('sha256').update(key).digest())

/** Returns the recovery code keys that are derived from SECRET_KEY_PREVIOUS. */
const formerKeys = () => derivedKeys(purpose).slice(1)

const oldestCode = () =>
  prisma().recoveryCode.findFirst({ orderBy: { createdAt: 'asc' }, select: { createdAt: true } })

/**
 * Returns all keys that a recovery code might be hashed with. The current key comes first, then the keys
 * derived from SECRET_KEY_PREVIOUS, then all stored keys. A stored key can be derived from a SECRET_KEY that
 * is no longer in the settings.
 */
export async function recoveryCodeKeys(tx: Db): Promise<Buffer[]> {
  const kept = await tx.formerKey.findMany({ where: { purpose }, select: { sealed: true } })
  return [
    ...derivedKeys(purpose),
    ...kept.map(({ sealed }) => Buffer.from(unseal(sealed, 'former-key'), 'hex')),
  ]
}

/**
 * Returns whether recovery codes exist and `storeFormerKeys` has not yet stored all keys derived from
 * SECRET_KEY_PREVIOUS.
 */
export async function isMissingFormerKeys(): Promise<boolean> {
  const needed = formerKeys().map(fingerprintOf)
  if (!(await oldestCode())) return false
  const kept = await prisma().formerKey.findMany({
    where: { purpose, fingerprint: { in: needed } },
    select: { fingerprint: true },
  })
  return needed.some((one) => !kept.some(({ fingerprint }) => Buffer.compare(fingerprint, one) === 0))
}

/**
 * Stores the recovery code keys derived from SECRET_KEY_PREVIOUS, encrypted with SECRET_KEY. Recovery codes
 * therefore still work after the former keys are removed from the settings. Deletes keys that were stored
 * before the oldest remaining code was created, because all remaining codes were hashed with newer keys. If
 * no recovery codes exist, deletes all stored keys and stores nothing.
 */
export async function storeFormerKeys(): Promise<void> {
  const oldest = await oldestCode()
  await prisma().formerKey.deleteMany({
    where: oldest ? { createdAt: { lt: oldest.createdAt } } : {},
  })
  if (!oldest) return
  await prisma().formerKey.createMany({
    data: formerKeys().map((key) => ({
      fingerprint: fingerprintOf(key),
      purpose,
      sealed: plainBytes(seal(key.toString('hex'), 'former-key')),
    })),
    skipDuplicates: true,
  })
}
