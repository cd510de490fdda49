import { databaseNow } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { domainOf } from '@/lib/base/mail/email-address'
import { loadAdmissions } from '@/lib/features/apps/authorizations/selectable'
import { recordEvent } from '@/lib/features/audit/record-event'
import { findManagedAccess, type ManagedAccess } from '@/lib/policy/app-grants'
import type { JudgedApp } from '@/lib/policy/app-policy'
import { providerName } from '@/lib/policy/required-sso'
import { type Assertion, refuse } from './assertion'
import {
  canSignInAccount,
  isAddressConfirmed,
  isTenantOfProvider,
  recordProviderConfirmed,
  subjectOf,
} from './sso-user'

type Found = { workspaceId: string; userId: string; linked: boolean }

/**
 * Finds the user and the workspace that a valid assertion identifies, and the app's access to the workspace.
 * An assertion never creates an account. A user whose subject is unknown must first sign in through the
 * provider, unless the assertion contains the verified email address of a workspace member. See ADR 0024.
 * @returns `access`, and `keep`, a function that records the use. If the subject is not linked to the user
 * yet, `keep` first links it, or throws RefusedAssertion if this is not allowed (`link`).
 * @throws RefusedAssertion if no user or workspace matches, or if the app cannot access the workspace for
 * this user
 */
export async function accessByAssertion(
  assertion: Assertion,
  clientId: string,
): Promise<{ access: ManagedAccess; keep: () => Promise<void> }> {
  const found = await userOf(assertion, clientId)
  const app = await prisma().managedApp.findUnique({
    where: { workspaceId_clientId: { workspaceId: found.workspaceId, clientId } },
    select: { id: true, client: { select: { workspaceId: true } } },
  })
  if (!app) throw refuse('not-allowed')
  await requireAdmitted({ clientId, workspaceId: app.client.workspaceId }, found.workspaceId)
  const { issuer } = assertion
  const access = await findManagedAccess({ managedAppId: app.id, userId: found.userId, issuer }, clientId)
  if (!access) throw refuse('outside')
  return { access, keep: () => noteUse(access, found, assertion) }
}

/**
 * Requires that the workspace's app policy allows the app. The policy also applies to SSO-managed apps. See
 * ADR 0019.
 * @throws RefusedAssertion if the policy does not allow the app
 */
async function requireAdmitted(app: JudgedApp, workspaceId: string): Promise<void> {
  const admits = await loadAdmissions(prisma(), [app], [workspaceId])
  const admission = admits(app, workspaceId)
  if (admission.kind === 'closed') throw refuse(admission.reason)
}

/**
 * Returns whether any workspace allows the app as an SSO-managed app. Other apps cannot use assertions of
 * identity providers.
 */
export const isManaged = async (clientId: string): Promise<boolean> =>
  (await prisma().managedApp.findFirst({ where: { clientId }, select: { id: true } })) !== null

/**
 * Returns the user who is linked to the subject, and the workspace of the link. If no user is linked, returns
 * the workspace member with the assertion's email address, which the provider must confirm. If the assertion
 * contains an email address, it must be in the provider's domain.
 * @throws RefusedAssertion if no user matches, if the linked account cannot sign in through the provider, or
 * if links in several workspaces match and `oneThatAllows` cannot choose one
 */
async function userOf(assertion: Assertion, clientId: string): Promise<Found> {
  const { issuer, email } = assertion
  const subject = subjectOf(assertion.subject, assertion.tenant)
  const trusted = await prisma().workspaceIdentityProvider.findMany({
    where: { issuer, verifiedAt: { not: null } },
    select: { workspaceId: true, domain: true },
  })
  // An issuer can serve many organizations. Each organization has its own domain, which belongs to one
  // workspace. If the assertion contains an email address, its domain therefore selects the workspace.
  // Otherwise, all workspaces with this issuer are candidates.
  const speaking = trusted.filter(({ domain }) => email === undefined || domainOf(email) === domain)
  if (speaking.length === 0) throw refuse('address-outside')
  const known = await prisma().identity.findMany({
    where: { provider: { in: speaking.map(({ workspaceId }) => providerName(workspaceId)) }, subject },
    select: { provider: true, userId: true, user: { select: { email: true, instanceAdmin: true } } },
  })
  const links = speaking.flatMap(({ workspaceId, domain }) =>
    known
      .filter(
        ({ provider, user }) => provider === providerName(workspaceId) && canSignInAccount(domain, user),
      )
      .map(({ userId }) => ({ workspaceId, userId, linked: true })),
  )
  if (links.length > 1) return oneThatAllows(links, clientId)
  if (links[0]) return links[0]
  const [at] = speaking
  if (known.length > 0 || email === undefined || !at) throw refuse('unknown')
  if (!isAddressConfirmed({ issuer, domain: at.domain }, assertion.addressClaims))
    throw refuse('address-unverified')
  return memberByAddress(at.workspaceId, email)
}

/**
 * Returns the link whose workspace allows the app. `userOf` calls this function if several workspaces share
 * an issuer and the assertion has no email address, and the subject is linked in more than one of these
 * workspaces.
 * @throws RefusedAssertion unless exactly one of the workspaces allows the app
 */
async function oneThatAllows(links: Found[], clientId: string): Promise<Found> {
  const allowing = await prisma().managedApp.findMany({
    where: { clientId, workspaceId: { in: links.map(({ workspaceId }) => workspaceId) } },
    select: { workspaceId: true },
  })
  const [only, ...others] = links.filter((link) =>
    allowing.some(({ workspaceId }) => workspaceId === link.workspaceId),
  )
  if (!only || others.length > 0) throw refuse('not-allowed')
  return only
}

/**
 * Returns the workspace member who has this verified email address. Excludes instance admins.
 * @throws RefusedAssertion if there is no such member
 */
async function memberByAddress(workspaceId: string, email: string): Promise<Found> {
  const user = await prisma().user.findUnique({
    where: { email, emailVerifiedAt: { not: null }, instanceAdmin: false },
    select: { id: true, workspaceMemberships: { where: { workspaceId }, select: { role: true } } },
  })
  if (!user || user.workspaceMemberships.length === 0) throw refuse('unknown')
  return { workspaceId, userId: user.id, linked: false }
}

/**
 * Links the subject to the user if it is not linked yet. Then records that the provider confirmed the user,
 * and that the app received a token for the user.
 * @throws the errors of `link`
 */
async function noteUse({ id }: ManagedAccess, found: Found, assertion: Assertion): Promise<void> {
  if (!found.linked) await link(found, assertion)
  await recordProviderConfirmed({
    provider: providerName(found.workspaceId),
    subject: subjectOf(assertion.subject, assertion.tenant),
  })
  const lastUsedAt = new Date(databaseNow())
  const who = { managedAppId: id, userId: found.userId }
  await prisma().managedApp.updateMany({ where: { id }, data: { lastUsedAt } })
  await prisma().managedUse.upsert({
    where: { managedAppId_userId: who },
    create: { ...who, lastUsedAt },
    update: { lastUsedAt },
  })
}

/**
 * Links the subject to the user, and records an event. Later assertions use this link, because an email
 * address can be reassigned. Does nothing if a concurrent request has already created the same link.
 * @throws RefusedAssertion if the subject or the user already has another link at this provider, or if the
 * tenant does not match
 */
async function link({ workspaceId, userId }: Found, assertion: Assertion): Promise<void> {
  const { issuer, tenant } = assertion
  const provider = providerName(workspaceId)
  const subject = subjectOf(assertion.subject, tenant)
  await prisma().$transaction(async (tx) => {
    if (!(await isTenantOfProvider(tx, { workspaceId, issuer, tenant }))) throw refuse('tenant')
    const known = await tx.identity.findMany({
      where: { provider, OR: [{ subject }, { userId }] },
      select: { subject: true, userId: true },
    })
    // If a concurrent request has already linked the subject to this user, nothing remains to be done.
    if (known.some((each) => each.subject === subject && each.userId === userId)) return
    if (known.length > 0) throw refuse('changed')
    await tx.identity.create({ data: { provider, subject, userId } })
    await recordEvent(
      tx,
      { kind: 'system', userId },
      {
        action: 'user.identity_joined',
        resource: { type: 'user', id: userId },
        workspaceId,
        details: { provider: issuer },
      },
    )
  })
}
