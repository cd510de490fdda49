import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { isHostAmong } from '@/lib/base/http/origin'
import { domainOf } from '@/lib/base/mail/email-address'
import { findTransfer } from '@/lib/features/workspaces/accept-invitation'

/** Returns the token of the invitation in a path; undefined for other paths. */
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
 * Returns whether sign-up requires an emailed link, because an account with an address of an allowed domain proves membership.
 * See ADR 0028.
 */
export function confirmsFirst(): boolean {
  const { signUp: policy, signUpConfirm: when } = config()
  return policy === 'domains' || when === 'first'
}

/** Returns the email domains that can sign up; undefined without a restriction. */
export function signUpDomains(): string[] | undefined {
  const { signUp: policy, signUpDomains: domains } = config()
  return policy === 'domains' ? domains : undefined
}

/** Returns whether the domain of an address can sign up. The text after the last `@` decides, as it does for email. */
const isOfDomain = (email: string): boolean => isHostAmong(signUpDomains() ?? [], domainOf(email) ?? '')

const closed = () => new AppError('FORBIDDEN', 'Sign-up is disabled.')
const uninvited = () =>
  signUpDomains()
    ? new AppError('FORBIDDEN', 'Sign-up is limited to certain email domains and to invited users.')
    : new AppError('FORBIDDEN', 'Sign-up requires an invitation to this address. Open the link in it.')

/**
 * Requires that an address can sign up with a password. With an invitation, requires its link: otherwise anyone who knows
 * an invited address could claim it before its owner.
 * @param next the path after sign-up: the invitation
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

/** Requires that an address verified by an identity provider can sign up. An invitation suffices. @throws AppError FORBIDDEN */
export async function requireSignUpByProvider(email: string): Promise<void> {
  const { signUp: policy } = config()
  if (policy === 'open') return
  if (policy === 'closed') throw closed()
  if (isOfDomain(email)) return
  const live = { email, expiresAt: { gt: new Date(databaseNow()) } }
  if (!(await prisma().invitation.findFirst({ where: live, select: { id: true } }))) throw uninvited()
}
