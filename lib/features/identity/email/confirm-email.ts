import { config } from '@/lib/base/config/env'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { type Say, translatorForUser } from '@/lib/base/language/say'
import { composeMail } from '@/lib/base/mail/compose-mail'
import { domainOf } from '@/lib/base/mail/email-address'
import { canSendMail, type Mail, sendMail } from '@/lib/base/mail/send-mail'
import { recordEvent } from '@/lib/features/audit/record-event'
import { recordLeft } from '@/lib/features/workspaces/former-members'
import type { SessionActor } from '@/lib/policy/actor'
import { lockUser } from '@/lib/policy/lock-role'
import { identitiesAtAnyProvider, type RequiredSso, requiredSsoOf } from '@/lib/policy/required-sso'
import { redeemEmailToken } from './email-tokens'

/**
 * Verifies the email address to which a link was sent, for the signed-in user who requested the link. Access
 * to the mailbox is not enough. Otherwise, an attacker could sign up with someone else's address and trick
 * the owner into verifying that address ("pre-hijacking"). If the link changes the user's address, pending
 * password links stop working, and the former address receives an email about the change. If the domain
 * changes, the account is disconnected from all workspaces' SSO providers. See ADR 0028.
 * @returns the verified address
 * @throws AppError NOT_FOUND (the link is not usable), FORBIDDEN (the link is for another account, or a
 * workspace requires SSO for the current address and the new address is outside the SSO domain; in both
 * cases, the link stays usable), CONFLICT (another account now uses the address)
 */
export async function confirmEmail(actor: SessionActor, token: string): Promise<{ email: string }> {
  try {
    const { email, user } = await prisma().$transaction(async (tx) => {
      // Lock the user, so that an admin cannot start to require SSO for the user while the address changes.
      await lockUser(tx, actor.userId)
      const { email, user } = await redeemEmailToken(tx, 'VERIFY_EMAIL', token)
      if (user.id !== actor.userId) {
        throw new AppError(
          'FORBIDDEN',
          'This link is for another account. Sign in to that account, then open the link again.',
        )
      }
      // Check the SSO requirement again, because the requirement or the user's membership can be newer than
      // the link.
      const required = await requiredSsoOf(tx, user.id)
      if (required && domainOf(email) !== required.domain) {
        throw new AppError(
          'FORBIDDEN',
          'One of your workspaces requires single sign-on, so your email address must stay in its domain. Leave that workspace, or ask one of its admins to remove you, then open this link again.',
        )
      }
      if (domainOf(email) !== domainOf(user.email)) await leaveProviders(tx, user.id)
      await tx.user.update({ where: { id: user.id }, data: { email, emailVerifiedAt: new Date() } })
      if (email !== user.email) {
        await tx.emailToken.deleteMany({ where: { userId: user.id, purpose: 'RESET_PASSWORD' } })
      }
      await recordEvent(tx, actor, {
        action: email === user.email ? 'user.email_verified' : 'user.email_changed',
        resource: { type: 'user', id: user.id },
      })
      return { email, user }
    })
    if (email !== user.email) {
      sendMail(user.email, emailChangedMail(translatorForUser(user.language), { name: user.name, email }))
    }
    return { email }
  } catch (error) {
    if (!uniqueViolation(error)) throw error
    throw new AppError('CONFLICT', 'Another account now uses this email address. Choose a different address.')
  }
}

/**
 * Disconnects a user from all workspaces' SSO providers. Records the user's current roles in these
 * workspaces, because the user could otherwise create another account through the provider and join with a
 * higher role.
 */
async function leaveProviders(tx: Db, userId: string): Promise<void> {
  const memberships = await tx.workspaceMember.findMany({
    where: { userId, workspace: { identityProvider: { isNot: null } } },
    select: { workspaceId: true, role: true },
  })
  await recordLeft(tx, userId, memberships)
  await tx.identity.deleteMany({ where: { userId, ...identitiesAtAnyProvider } })
}

/**
 * Returns the email to a user's former address. It contains the new address, and states that the former
 * address can no longer be used to sign in.
 */
function emailChangedMail(say: Say, { name, email }: { name: string; email: string }): Mail {
  const { serviceName: service, helpUrl, BASE_URL } = config()
  return composeMail({
    say,
    subject: say('confirm.oldAddressSubject', { service }),
    name,
    paragraphs: [say('confirm.oldAddressText', { service, email }), say('confirm.oldAddressUnasked')],
    actions: helpUrl ? [{ label: say('confirm.oldAddressHelp'), url: new URL(helpUrl, BASE_URL).href }] : [],
  })
}

/**
 * Returns the user's email address, whether it is verified, whether the instance can send email, and the
 * workspace that requires SSO for the user, if any.
 */
export async function readEmailState(
  actor: SessionActor,
): Promise<{ email: string; verified: boolean; canMail: boolean; required: RequiredSso | undefined }> {
  const { email, emailVerifiedAt } = await prisma().user.findUniqueOrThrow({
    where: { id: actor.userId },
    select: { email: true, emailVerifiedAt: true },
  })
  const required = await requiredSsoOf(prisma(), actor.userId)
  return { email, verified: emailVerifiedAt !== null, canMail: canSendMail(), required }
}
