import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { isHostAmong } from '@/lib/base/http/origin'
import { domainOf } from '@/lib/base/mail/email-address'
import { findInvitation } from '@/lib/features/workspaces/accept-invitation'

/** Returns the token in an invitation's path, or undefined for every other path. */
const invitationIn = (path: string | undefined): string | undefined =>
  /^\/invitations\/([^/?#]+)/.exec(path ?? '')?.[1]

/**
 * Returns whether a user sees the sign-up form under the sign-up policy (`signUp`). `open` means that the
 * user sees the form, `invited` that the user must open an invitation link first, and `closed` that sign-up
 * is disabled.
 * @param next the path to continue to after sign-up, which can be an invitation. This function does not check
 * the invitation.
 */
export function signUpAccess(next: string | undefined): 'open' | 'invited' | 'closed' {
  const { signUp: policy } = config()
  if (policy === 'invitation') return invitationIn(next) ? 'open' : 'invited'
  return policy === 'domains' ? 'open' : policy
}

/**
 * Returns whether sign-up requires an emailed link. If sign-up is restricted to email domains, the link is
 * always required. Without the link, anyone could sign up with someone else's email address in an allowed
 * domain. See ADR 0028.
 */
export function confirmsFirst(): boolean {
  const { signUp: policy, signUpConfirm: when } = config()
  return policy === 'domains' || when === 'first'
}

/**
 * Returns the email domains whose users can sign up without an invitation, or undefined if the policy is not
 * `domains`.
 */
export function signUpDomains(): string[] | undefined {
  const { signUp: policy, signUpDomains: domains } = config()
  return policy === 'domains' ? domains : undefined
}

/**
 * Returns whether an email address is in one of the `signUpDomains`. Returns false if the policy is not
 * `domains`. As in email delivery, the domain is the text after the last `@`.
 */
const isOfDomain = (email: string): boolean => isHostAmong(signUpDomains() ?? [], domainOf(email) ?? '')

const closed = () =>
  new AppError('FORBIDDEN', 'Sign-up is disabled. Contact an instance admin.', { reason: 'sign_up_closed' })
const uninvited = () =>
  signUpDomains()
    ? new AppError(
        'FORBIDDEN',
        'Sign-up is limited to certain email domains and to invited users. Use another email address, or ask for an invitation.',
        { reason: 'domain_not_allowed' },
      )
    : new AppError(
        'FORBIDDEN',
        'Sign-up requires an invitation. If you were invited, open the link in the invitation email.',
        { reason: 'invitation_required' },
      )

/**
 * Requires that the owner of an email address can sign up with a password. A user who needs an invitation
 * must follow the link of an invitation to this address. Otherwise, anyone who knows an invited email address
 * could sign up with it before its owner does.
 * @param next the path to continue to after sign-up, which can be an invitation
 * @throws AppError FORBIDDEN
 */
export async function requireSignUp(email: string, next: string | undefined): Promise<void> {
  const { signUp: policy } = config()
  if (policy === 'open') return
  if (policy === 'closed') throw closed()
  if (isOfDomain(email)) return
  const token = invitationIn(next)
  const offer = token ? await findInvitation(token).catch(() => undefined) : undefined
  if (offer?.invitation.email !== email) throw uninvited()
}

/**
 * Requires that the owner of an email address can sign up through an identity provider that verified the
 * address. If the policy requires an invitation, an unexpired invitation to this address is sufficient, even
 * if the user did not open the invitation's link.
 * @throws AppError FORBIDDEN
 */
export async function requireSignUpByProvider(email: string): Promise<void> {
  const { signUp: policy } = config()
  if (policy === 'open') return
  if (policy === 'closed') throw closed()
  if (isOfDomain(email)) return
  const live = { email, expiresAt: { gt: new Date(databaseNow()) } }
  if (!(await prisma().invitation.findFirst({ where: live, select: { id: true } }))) throw uninvited()
}
