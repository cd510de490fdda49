import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { domainOf, emailAddress } from '@/lib/base/mail/email-address'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { ProvenUser } from '@/lib/features/identity/sessions/start-session'
import { signInExternal } from '@/lib/features/identity/users/sign-in-external'
import { rejoinRole } from '@/lib/features/workspaces/former-members'
import { lockUser } from '@/lib/policy/lock-role'
import { providerName, type SsoOrigin } from '@/lib/policy/required-sso'
import type { Role } from '@/lib/policy/scopes'
import type { SsoConnection } from './sso-connection'
import {
  type AddressClaims,
  canSignInAccount,
  isAddressConfirmed,
  isTenantOfProvider,
  type Newcomer,
  recordProviderConfirmed,
  subjectOf,
  tokenTenant,
} from './sso-user'

/** The identity provider's claims about a user who has just signed in. */
type SsoClaims = AddressClaims & {
  sub: string
  email: string | undefined
  name: string | undefined
  avatarUrl: string | undefined
}

/**
 * Finds or creates the user whom an identity provider has authenticated, and records that the provider
 * confirmed the user. If the workspace's admins have turned this on, also adds the user to the workspace,
 * unless an admin removed the user before. A user who left rejoins with at most the earlier role. The
 * provider must return an email address in the verified domain and must not mark the address as unverified.
 * If the issuer serves many organizations, the issuer must confirm that it verified the address. See ADR
 * 0024.
 * @param connection the connection, with the issuer that authenticated the user; the workspace might have
 * replaced its provider in the meantime
 * @returns the user as returned by `signInExternal`, and the SSO connection that was used
 * @throws AppError FORBIDDEN (replaced provider, unverified address, another domain or tenant, instance
 * admin, suspended account, sign-up disabled), CONFLICT (the address belongs to an unverified or suspended
 * account or to another user of the provider, or another request created the account)
 */
export async function signInWithSso(
  { workspaceId, issuer }: Pick<SsoConnection, 'workspaceId' | 'issuer'>,
  user: SsoClaims,
): Promise<ProvenUser & { sso: SsoOrigin }> {
  const provider = await prisma().workspaceIdentityProvider.findFirst({
    where: { workspaceId, issuer, verifiedAt: { not: null } },
    select: { domain: true, joinAs: true, issuer: true },
  })
  const { data: email } = emailAddress.safeParse(user.email)
  if (!provider || !email || domainOf(email) !== provider.domain || !isAddressConfirmed(provider, user)) {
    throw new AppError(
      'FORBIDDEN',
      'The provider didn’t return an email address in the organization’s domain. Contact a workspace admin.',
    )
  }
  const tenant = tokenTenant(issuer, user)
  const named = { provider: providerName(workspaceId), subject: subjectOf(user.sub, tenant) }
  await requireSpokenFor(named, email, provider.domain)
  const { name, avatarUrl } = user
  const newcomer = { workspaceId, issuer, tenant }
  const proven = await signInExternal({ ...named, email, emailVerified: true, name, avatarUrl }, (tx) =>
    requireNewcomer(tx, newcomer, named, email),
  )
  await recordProviderConfirmed(named)
  if (provider.joinAs) await join(workspaceId, proven.userId, provider.joinAs)
  return { ...proven, sso: { ssoWorkspaceId: workspaceId, ssoIssuer: issuer } }
}

type Named = { provider: string; subject: string }

/**
 * Requires that the account, if it exists, can be signed in through the provider. Finds the account by
 * subject or, if the subject is unknown, by email address.
 * @throws AppError FORBIDDEN
 */
async function requireSpokenFor(named: Named, email: string, domain: string): Promise<void> {
  const select = { email: true, instanceAdmin: true }
  const known = await prisma().identity.findUnique({
    where: { provider_subject: named },
    select: { user: { select } },
  })
  const user = known?.user ?? (await prisma().user.findUnique({ where: { email }, select }))
  if (user && !canSignInAccount(domain, user)) {
    throw new AppError(
      'FORBIDDEN',
      'This account isn’t managed by the organization’s provider. Sign in with another method.',
    )
  }
}

/**
 * Requires that a new subject of the provider can be linked to the user. The subject must be in the
 * provider's tenant. The user must not be linked to another subject of the provider. Such a link means that
 * the provider has since assigned the email address to someone else.
 * @throws AppError FORBIDDEN (another tenant, or the workspace has replaced the provider), CONFLICT (another
 * subject)
 */
async function requireNewcomer(tx: Db, newcomer: Newcomer, named: Named, email: string): Promise<void> {
  if (!(await isTenantOfProvider(tx, newcomer))) {
    throw new AppError(
      'FORBIDDEN',
      'This account belongs to another organization at the same provider. Sign in with another account.',
    )
  }
  const other = await tx.identity.findFirst({
    where: { provider: named.provider, subject: { not: named.subject }, user: { email } },
    select: { subject: true },
  })
  if (other)
    throw new AppError(
      'CONFLICT',
      'This email address is linked to another account at your organization’s provider. Contact a workspace admin.',
    )
}

async function join(workspaceId: string, userId: string, joinAs: Role): Promise<void> {
  await prisma().$transaction(async (tx) => {
    // Lock the user, so that a concurrent removal of the user from the workspace finishes first and is found
    // below.
    await lockUser(tx, userId)
    const role = await rejoinRole(tx, workspaceId, userId, joinAs)
    if (!role) return
    const { count } = await tx.workspaceMember.createMany({
      data: [{ workspaceId, userId, role }],
      skipDuplicates: true,
    })
    if (count === 0) return
    await recordEvent(
      tx,
      { kind: 'system', userId },
      {
        action: 'member.added',
        resource: { type: 'user', id: userId },
        workspaceId,
        details: { role, by: 'identity provider' },
      },
    )
  })
}
