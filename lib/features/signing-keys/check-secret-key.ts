import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'

/**
 * Opens one of the stored signing keys, so that a process with another SECRET_KEY than the one they were sealed with does not
 * start, rather than be ready and answer everything with 500.
 * @throws Error with one sentence for the operator; never what was stored
 */
export async function checkSecretKey(): Promise<void> {
  const key = await prisma().signingKey.findFirst({
    orderBy: { createdAt: 'desc' },
    select: { sealedPrivate: true },
  })
  if (!key) return
  try {
    unseal(key.sealedPrivate, 'signing-key')
  } catch {
    throw new Error(
      'SECRET_KEY does not open what is stored in this database: it was sealed with another one. Set the SECRET_KEY that this database was used with before.',
    )
  }
}
