import { createHash } from 'node:crypto'
import { derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { type Db, prisma } from '@/lib/base/db/prisma'

/** What is kept as a keyed hash for years: its plain value is known to its owner alone, so it cannot be hashed anew. */
const purpose = 'recovery-code'

const plainBytes = (bytes: Buffer) => Uint8Array.from(bytes)

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

/**
 * Keeps what recovery codes take of the keys in SECRET_KEY_PREVIOUS, sealed with SECRET_KEY, so that the codes work when
 * the former keys are gone; and forgets such keys when no code of their time is left.
 */
export async function keepFormerKeys(): Promise<void> {
  const [, ...former] = derivedKeys(purpose)
  const [oldest] = await prisma().recoveryCode.findMany({
    orderBy: { createdAt: 'asc' },
    take: 1,
    select: { createdAt: true },
  })
  await prisma().formerKey.deleteMany({
    where: oldest ? { createdAt: { lt: oldest.createdAt } } : {},
  })
  if (!oldest) return
  await prisma().formerKey.createMany({
    data: former.map((key) => ({
      fingerprint: plainBytes(createHash('sha256').update(key).digest()),
      purpose,
      sealed: plainBytes(seal(key.toString('hex'), 'former-key')),
    })),
    skipDuplicates: true,
  })
}
