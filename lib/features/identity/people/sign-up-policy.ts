import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { isHostAmong } from '@/lib/base/http/origin'
import { domainOf } from '@/lib/base/mail/email-address'
import { findTransfer } from '@/lib/features/workspaces/accept-invitation'

/** The token of the invitation that a path leads to; undefined where it leads elsewhere. */
const invitationIn = (path: string | undefined): string | undefined =>
  /^\/invitations\/([^/?#]+)/.exec(path ?? '')?.[1]

/**
 * Returns whether the sign-up form is shown (signUp): `invited` means only to users who follow an invitation.
 * @param next the path to continue to after sign-up
 */
export function signUpAccess(next: string | undefined): 'open' | 'invited' | 'closed' {
  const { signUp: policy } = config()
  if (policy === 'invitation') return invitationIn(next) ? 'open' : 'invited'
  return policy === 'domains' ? 'open' : policy
}

/**
 * Whether an account is made only by a link that was mailed to its address. An account of a domain speaks for belonging there.
 * See ADR 0035.
 */
export function confirmsFirst(): boolean {
  const { signUp: policy, signUpConfirm: when } = config()
  return policy === 'domains' || when === 'first'
}

/** The domains whose people may make an account; undefined where that is not asked. */
export function signUpDomains(): string[] | undefined {
  const { signUp: policy, signUpDomains: domains } = config()
  return policy === 'domains' ? domains : undefined
}

/** Whether an address is of a domain whose people may make an account. What follows the last `@` decides, as it does for mail. */
const isOfDomain = (email: string): boolean => isHostAmong(signUpDomains() ?? [], domainOf(email) ?? '')

const closed = () => new AppError('FORBIDDEN', 'Sign-up is disabled.')
const uninvited = () =>
  signUpDomains()
    ? new AppError('FORBIDDEN', 'Sign-up is limited to certain email domains and to invited users.')
    : new AppError('FORBIDDEN', 'Sign-up requires an invitation to this address. Open the link in it.')

/**
 * Requires that somebody may make an account with a password. The link of the invitation is asked for, not only that there is
 * one: whoever knows an invited address could else take it before the person who reads its mail.
 * @param next where they go afterwards: the invitation
 * @throws AppError FORBIDDEN
 */
export async function requireSignUp(email: string, next: string | undefined): Promise<void> {
  const { signUp: policy } = config()
  if (policy === 'open') return
  if (policy === 'closed') throw closed()
  if (isOfDomain(email)) return
  const token = invitationIn(next)
  const offer = token ? await findTransfer(token).catch(() => undefined) : undefined
  if (offer?.invitation.email !== email) throw uninvited()
}

/** The same for somebody whose address an identity provider vouches for: that there is an invitation is enough. @throws AppError FORBIDDEN */
export async function requireSignUpByProvider(email: string): Promise<void> {
  const { signUp: policy } = config()
  if (policy === 'open') return
  if (policy === 'closed') throw closed()
  if (isOfDomain(email)) return
  const live = { email, expiresAt: { gt: new Date(databaseNow()) } }
  if (!(await prisma().invitation.findFirst({ where: live, select: { id: true } }))) throw uninvited()
}
