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

/** The claims that show whether a provider confirms that the user owns the email address. */
export type AddressClaims = {
  /** The `email_verified` claim. */
  emailVerified?: unknown
  /** The domain for which Google manages the account. */
  hd?: unknown
  tenant?: unknown
  tid?: unknown
}

/**
 * Google's issuer, which serves all organizations and individual users. Only the `hd` claim, and not the
 * email address, identifies the organization that manages an account.
 */
const google = 'https://accounts.google.com'

/**
 * Returns whether a provider confirms that the user owns the email address. At Google, the `hd` claim must
 * also match the domain. If the token contains no `email_verified` claim, the result is true only if the
 * provider serves a single organization. Otherwise, admins of another organization at the same issuer could
 * give their users email addresses in the domain.
 * @param provider the issuer of the token, and the domain that the workspace has verified
 */
export function isAddressConfirmed(
  { issuer, domain }: { issuer: string; domain: string },
  claims: AddressClaims,
): boolean {
  const { emailVerified: said, hd } = claims
  if (issuer === google && hd !== domain) return false
  if (said !== undefined) return said === true || said === 'true'
  return hd === undefined && tokenTenant(issuer, claims) === undefined
}

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
