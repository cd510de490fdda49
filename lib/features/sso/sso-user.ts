import { databaseNow } from '@/lib/base/db/clock'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { domainOf } from '@/lib/base/mail/email-address'
import { sessionSeconds } from '@/lib/features/identity/sessions/session-cookie'
import { identitiesAtProvider } from '@/lib/policy/required-sso'

/**
 * Returns the identifier of a user at a provider: `sub`, combined with the tenant if there is one. At a
 * provider with several tenants, two tenants can use the same `sub` (ID-JAG draft, section 6.3).
 */
export const subjectOf = (sub: string, tenant: string | undefined): string =>
  tenant === undefined ? sub : JSON.stringify([tenant, sub])

/**
 * Returns the tenant from the `tenant` or `tid` claim of a token, or undefined if there is none. Ignores a
 * claim whose value is part of the issuer's URL, because such an issuer serves only that tenant.
 */
export const tokenTenant = (
  issuer: string,
  { tenant, tid }: { tenant?: unknown; tid?: unknown },
): string | undefined =>
  [tenant, tid].find(
    (each): each is string => typeof each === 'string' && each !== '' && !issuer.split('/').includes(each),
  )

/** The workspace, the issuer, and the tenant of a user whose subject is not linked yet. */
export type Newcomer = { workspaceId: string; issuer: string; tenant: string | undefined }

/**
 * Returns whether a workspace's provider can add a new user from a tenant. All users of the provider must
 * belong to the tenant of the provider's first user. Otherwise, admins of another tenant of the same issuer
 * could give their users email addresses in the workspace's domain. Locks the provider until the transaction
 * ends. If two new users sign in concurrently, the second sign-in therefore waits and finds the user of the
 * other sign-in. Returns false if the provider was replaced or lost its verification in the meantime.
 */
export async function isTenantOfProvider(
  tx: Db,
  { workspaceId, issuer, tenant }: Newcomer,
): Promise<boolean> {
  const held = await tx.$queryRaw<object[]>`
    SELECT 1 FROM workspace_identity_providers
     WHERE workspace_id = ${workspaceId}::uuid AND issuer = ${issuer} AND verified_at IS NOT NULL FOR UPDATE`
  if (held.length === 0) return false
  const first = await tx.identity.findFirst({
    where: identitiesAtProvider(workspaceId),
    orderBy: { createdAt: 'asc' },
    select: { subject: true },
  })
  return first === null || tenantIn(first.subject) === tenant
}

/** Returns the tenant in a subject from `subjectOf`, or undefined if the subject contains none. */
function tenantIn(subject: string): string | undefined {
  try {
    const read: unknown = JSON.parse(subject)
    return Array.isArray(read) && typeof read[0] === 'string' ? read[0] : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns whether a provider can sign in an account. The account's email address must be in the verified
 * domain. Instance admins are excluded, because anyone who can set a provider could otherwise sign in as an
 * instance admin.
 */
export const canSignInAccount = (domain: string, user: { email: string; instanceAdmin: boolean }): boolean =>
  domainOf(user.email) === domain && !user.instanceAdmin

/**
 * Records that a provider has just confirmed a user, through a sign-in or an assertion. If a workspace
 * requires the user to use SSO, the user's tokens work for as long as a session that begins now would last
 * (lib/policy/required-sso).
 */
export async function recordProviderConfirmed(identity: {
  provider: string
  subject: string
}): Promise<void> {
  const confirmedUntil = new Date(databaseNow() + sessionSeconds() * 1000)
  await prisma().identity.updateMany({ where: identity, data: { confirmedUntil } })
}
