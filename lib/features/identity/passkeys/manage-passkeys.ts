import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { PersonActor, SessionActor } from '@/lib/policy/actor'
import { keepDemandedFactor } from '@/lib/policy/two-factor'
import { keepAWayIn } from '../identities/keep-a-way-in'
import { passwordInput } from '../two-factor/input'
import { lockWaysIn } from '../two-factor/lock-ways-in'
import { requirePassword } from '../two-factor/require-password'
import { renamePasskeyInput } from './input'

/** The person's passkeys, the newest first. */
export const listPasskeys = (actor: Pick<PersonActor, 'userId'>) =>
  prisma().passkey.findMany({
    where: { userId: actor.userId },
    orderBy: { createdAt: 'desc' },
    select: { id: true, name: true, synced: true, createdAt: true, lastUsedAt: true },
  })

/**
 * Gives a passkey another name. Takes no password: the name guards nothing.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND
 */
export async function renamePasskey(actor: SessionActor, id: string, input: unknown): Promise<void> {
  const { name } = parseInput(renamePasskeyInput, input)
  await prisma().$transaction(async (tx) => {
    const found = await tx.passkey.findFirst({ where: { id, userId: actor.userId }, select: { name: true } })
    if (!found) throw new AppError('NOT_FOUND', 'There is no such passkey.')
    if (found.name === name) return
    // Removed meanwhile: then there is nothing to name.
    const { count } = await tx.passkey.updateMany({ where: { id, userId: actor.userId }, data: { name } })
    if (count === 0) throw new AppError('NOT_FOUND', 'There is no such passkey.')
    await recordEvent(tx, actor, {
      action: 'two_factor.passkey_renamed',
      resource: { type: 'passkey', id },
      details: { name, before: found.name },
    })
  })
}

/**
 * Removes a passkey. With the last second factor go the recovery codes.
 * @param input `password`
 * @throws AppError NOT_FOUND, and as `keepAWayIn`, `keepDemandedFactor` and `requirePassword`
 */
export async function removePasskey(actor: SessionActor, id: string, input: unknown): Promise<void> {
  await requirePassword(actor, parseInput(passwordInput, input).password)
  const { userId } = actor
  await prisma().$transaction(async (tx) => {
    await lockWaysIn(tx, userId)
    const { count } = await tx.passkey.deleteMany({ where: { id, userId } })
    if (count === 0) throw new AppError('NOT_FOUND', 'There is no such passkey.')
    await keepAWayIn(tx, userId)
    const left =
      (await tx.passkey.count({ where: { userId } })) +
      (await tx.totpSecret.count({ where: { userId, confirmedAt: { not: null } } }))
    if (left === 0) {
      keepDemandedFactor(actor)
      await tx.recoveryCode.deleteMany({ where: { userId } })
    }
    await recordEvent(tx, actor, {
      action: 'two_factor.passkey_removed',
      resource: { type: 'passkey', id },
    })
  })
}
