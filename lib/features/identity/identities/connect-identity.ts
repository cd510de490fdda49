import { prisma } from '@/lib/base/db/prisma'
import { uniqueViolation } from '@/lib/base/db/unique-violation'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'

/**
 * Connects an account at an identity provider, to which the person has just signed in there, with the account they are signed in to
 * here. Both are proven, so the provider's address does not matter. Whoever began it gave the password (`requirePassword`).
 * See decision 181.
 * @throws AppError CONFLICT (it signs somebody else in)
 */
export async function connectIdentity(
  actor: SessionActor,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  const { userId } = actor
  const known = await prisma().identity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { userId: true },
  })
  if (known?.userId === userId) return
  if (known) throw elsewhere()
  await prisma()
    .$transaction(async (tx) => {
      await tx.identity.create({ data: { provider, subject, userId } })
      await recordEvent(tx, actor, {
        action: 'person.identity_connected',
        resource: { type: 'user', id: userId },
        details: { provider },
      })
    })
    .catch((error) => {
      // It came to be somebody's in the same moment.
      throw uniqueViolation(error) ? elsewhere() : error
    })
}

const elsewhere = () => new AppError('CONFLICT', 'That account signs somebody else in here.')
