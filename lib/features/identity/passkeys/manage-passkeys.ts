import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Passkey as PasskeyRow } from '@/lib/generated/prisma/client'
import type { Actor, UserActor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { requireSignInMethod } from '../identities'
import { passwordInput } from '../two-factor/codes'
import { removeLast } from '../two-factor/enroll-totp'
import {
  changeFactors,
  lockSignInMethods,
  type TwoFactorMethods,
  twoFactorMethods,
} from '../two-factor/two-factor-methods'
import { renamePasskeyInput } from './challenges'

/** A user's two-factor methods, including each passkey. */
export type Factors = Omit<TwoFactorMethods, 'passkeys'> & { passkeys: Passkey[] }

/**
 * Returns the user's two-factor methods. Requires no approval.
 * @throws AppError FORBIDDEN for tokens without access to the account
 */
export async function listFactors(actor: Actor): Promise<Factors> {
  authorizeAccount(actor)
  const [factors, passkeys] = await Promise.all([twoFactorMethods(actor.userId), listPasskeys(actor)])
  return { ...factors, passkeys }
}

const shown = { id: true, name: true, synced: true, createdAt: true, lastUsedAt: true } as const

/** A passkey as shown to its user. */
export type Passkey = Pick<PasskeyRow, keyof typeof shown>

const noPasskey = () => new AppError('NOT_FOUND', 'The passkey was not found.')

/** Returns the user's passkeys, newest first. */
export const listPasskeys = (actor: Pick<UserActor, 'userId'>): Promise<Passkey[]> =>
  prisma().passkey.findMany({
    where: { userId: actor.userId },
    orderBy: { createdAt: 'desc' },
    select: shown,
  })

/**
 * Renames a passkey. Does not require the password, because a passkey's name has no effect on security. A
 * token requires its user's approval, unless the passkey already has the name.
 * @param input `name`
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and the errors of `changeFactors`
 */
export async function renamePasskey(actor: Actor, id: string, input: unknown): Promise<Passkey> {
  const { name } = parseInput(renamePasskeyInput, input)
  const change = { name: 'passkey:rename', passkeyId: id, wanted: name } as const
  return changeFactors(actor, change, async (tx, userId) => {
    const found = await tx.passkey.findFirst({ where: { id, userId }, select: shown })
    if (!found) throw noPasskey()
    if (found.name === name) return { answer: found, unchanged: true }
    // The update matches no row if the passkey has been removed since the query.
    const [renamed] = await tx.passkey.updateManyAndReturn({
      where: { id, userId },
      data: { name },
      select: shown,
    })
    if (!renamed) throw noPasskey()
    return {
      answer: renamed,
      event: {
        action: 'two_factor.passkey_renamed',
        resource: { type: 'passkey', id },
        details: { name, before: found.name },
      },
    }
  })
}

/**
 * Removes a passkey. Removing the last two-factor method also removes the recovery codes. A token requires
 * its user's approval.
 * @param input `password`, which is checked in a session (`requirePassword`)
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and the errors of `requireSignInMethod`,
 * `requireFactorNotDemanded`, and `changeFactors`
 */
export async function removePasskey(actor: Actor, id: string, input: unknown): Promise<void> {
  const { password } = parseInput(passwordInput, input)
  const change = { name: 'passkey:delete', passkeyId: id, password } as const
  return changeFactors(actor, change, async (tx, userId) => {
    await lockSignInMethods(tx, userId)
    const { count } = await tx.passkey.deleteMany({ where: { id, userId } })
    if (count === 0) throw noPasskey()
    await requireSignInMethod(tx, userId)
    if (!(await twoFactorMethods(userId, tx)).enrolled) await removeLast(tx, userId)
    return {
      answer: undefined,
      event: { action: 'two_factor.passkey_removed', resource: { type: 'passkey', id } },
    }
  })
}
