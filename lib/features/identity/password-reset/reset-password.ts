import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import type { Visitor } from '@/lib/base/http/visitor'
import { canSendMail } from '@/lib/base/mail/send-mail'
import { endAuthorizations } from '@/lib/features/apps/authorizations/end-authorizations'
import type { SystemActor } from '@/lib/features/audit/audit-record'
import { recordEvent } from '@/lib/features/audit/record-event'
import { deadLink, findEmailToken, redeemEmailToken } from '../email-tokens/redeem-email-token'
import { hashNewPassword } from '../people/hash-new-password'
import { clearPersonalWorkspace } from './clear-personal-workspace'
import { resetPasswordInput } from './input'

/**
 * Sets a new password by the link that was mailed, and ends every session of the person. The link proves who reads mail at
 * the address, so the address counts as verified from then on. Two-factor stays: a mailbox alone does not open the account.
 * Where the address was never verified before, whoever set the account up may have been a stranger; nothing they left
 * behind that could open it survives, and nobody they let into its own workspace stays there.
 * See decision 042.
 * @param input `token`, `password`
 * @returns whether the account was cleared of what was set up before
 * @throws AppError BAD_USER_INPUT on `password` (the link stays usable), NOT_FOUND (the link is not)
 */
export async function resetPassword(visitor: Visitor, input: unknown): Promise<{ cleared: boolean }> {
  const { token, password } = parseInput(resetPasswordInput, input)
  const link = await findEmailToken('RESET_PASSWORD', token)
  // Hashing takes a processor's time and 19 MB, which nobody is given for a link that they made up.
  if (!link) throw deadLink()
  const passwordHash = await hashNewPassword(password, link.user)
  return prisma().$transaction(async (tx) => {
    const { user, email } = await redeemEmailToken(tx, 'RESET_PASSWORD', token)
    if (email !== user.email) throw new AppError('NOT_FOUND', 'This link was sent to an earlier address.')
    const cleared = user.emailVerifiedAt === null
    const actor: SystemActor = { kind: 'system', userId: user.id, ...visitor }
    if (cleared) {
      await removeCredentials(tx, user.id)
      // Without mail nobody can ever be verified, and the link comes from the operator, who knows whose account it is.
      if (canSendMail()) await clearPersonalWorkspace(tx, actor, user.id)
    }
    const now = new Date()
    await tx.user.update({
      where: { id: user.id },
      data: { passwordHash, emailVerifiedAt: user.emailVerifiedAt ?? now },
    })
    await tx.session.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: now } })
    // A sign-in or a change of address that was begun with the old password comes to nothing.
    await tx.pendingSignIn.deleteMany({ where: { userId: user.id } })
    await tx.emailToken.deleteMany({ where: { userId: user.id } })
    await recordEvent(tx, actor, {
      action: 'person.password_reset',
      resource: { type: 'user', id: user.id },
      details: { cleared },
    })
    return { cleared }
  })
}

/** Everything by which somebody could still enter an account whose password was set anew. */
async function removeCredentials(tx: Db, userId: string): Promise<void> {
  await tx.apiToken.deleteMany({ where: { userId } })
  await endAuthorizations(tx, { userId })
  await tx.identity.deleteMany({ where: { userId } })
  await tx.passkey.deleteMany({ where: { userId } })
  await tx.totpSecret.deleteMany({ where: { userId } })
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.sshPublicKey.deleteMany({ where: { userId } })
}
