import { createHash } from 'node:crypto'
import { derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'

/** What is kept as a keyed hash for years: its plain value is known to its owner alone, so it cannot be hashed anew. */
const purpose = 'recovery-code'

const plainBytes = (bytes: Buffer) => Uint8Array.from(bytes)

const fingerprintOf = (key: Buffer) => plainBytes(createHash('sha256').update(key).digest())

/** The present key is not among them. */
const formerKeys = () => derivedKeys(purpose).slice(1)

const oldestCode = () =>
  prisma().recoveryCode.findFirst({ orderBy: { createdAt: 'asc' }, select: { createdAt: true } })

/**
 * The keys a recovery code may have been hashed with: the present one first, those of SECRET_KEY_PREVIOUS, and those of
 * keys that are no longer in the settings.
 */
export async function recoveryCodeKeys(tx: Db): Promise<Buffer[]> {
  const kept = await tx.formerKey.findMany({ where: { purpose }, select: { sealed: true } })
  return [
    ...derivedKeys(purpose),
    ...kept.map(({ sealed }) => Buffer.from(unseal(sealed, 'former-key'), 'hex')),
  ]
}

/** Whether there are recovery codes, and a key of SECRET_KEY_PREVIOUS that `keepFormerKeys` has not kept for them. */
export async function lacksFormerKeys(): Promise<boolean> {
  const needed = formerKeys().map(fingerprintOf)
  if (!(await oldestCode())) return false
  const kept = await prisma().formerKey.findMany({
    where: { purpose, fingerprint: { in: needed } },
    select: { fingerprint: true },
  })
  return needed.some((one) => !kept.some(({ fingerprint }) => Buffer.compare(fingerprint, one) === 0))
}

/**
 * Keeps what recovery codes take of the keys in SECRET_KEY_PREVIOUS, sealed with SECRET_KEY, so that the codes work when
 * the former keys are gone; and forgets such keys when no code of their time is left.
 */
export async function keepFormerKeys(): Promise<void> {
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
