import type { Db } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { usableProviders } from './usable-providers'

/**
 * Refuses to take the last way in: a password, a passkey, or an account at a provider that is configured still.
 * @param tx the transaction that took one away, after `lockWaysIn`
 * @throws AppError CONFLICT
 */
export async function keepAWayIn(tx: Db, userId: string): Promise<void> {
  const { passwordHash, _count } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      passwordHash: true,
      _count: {
        select: { passkeys: true, identities: { where: { provider: { in: usableProviders() } } } },
      },
    },
  })
  if (passwordHash !== null || _count.passkeys > 0 || _count.identities > 0) return
  throw new AppError(
    'CONFLICT',
    'This is your last way to sign in. Set a password, or add another way, first.',
  )
}
