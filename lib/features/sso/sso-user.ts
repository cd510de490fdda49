import { databaseNow } from '@/lib/base/db/clock'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { domainOf } from '@/lib/base/mail/email-address'
import { sessionSeconds } from '@/lib/features/identity/sessions/session-cookie'
import { linksThrough } from '@/lib/policy/required-sso'

/** How a provider tells people apart: by `sub`, and within a tenant of its own where it has several (ID-JAG draft, section 6.3). */
export const subjectOf = (sub: string, tenant: string | undefined): string =>
  tenant === undefined ? sub : JSON.stringify([tenant, sub])

/** The tenant that a token names, as `tenant` or `tid`; none where the issuer itself is of that one alone, as its address says. */
export const tenantOf = (
  issuer: string,
  { tenant, tid }: { tenant?: unknown; tid?: unknown },
): string | undefined =>
  [tenant, tid].find(
    (each): each is string => typeof each === 'string' && each !== '' && !issuer.split('/').includes(each),
  )

/** Somebody whom a provider names that knew nobody by their subject. */
export type Newcomer = { workspaceId: string; issuer: string; tenant: string | undefined }

/**
 * Whether a workspace's provider may mean somebody new in a tenant: all whom it knows are of one, which is that of the first. In another
 * tenant of an issuer of many organizations anyone could have any address. The provider is held as it is until the transaction ends: of two
 * newcomers at the same moment the second finds the first, and one that is being changed or removed means nobody.
 */
export async function isItsTenant(tx: Db, { workspaceId, issuer, tenant }: Newcomer): Promise<boolean> {
  const held = await tx.$queryRaw<object[]>`
    SELECT 1 FROM workspace_identity_providers
     WHERE workspace_id = ${workspaceId}::uuid AND issuer = ${issuer} AND verified_at IS NOT NULL FOR UPDATE`
  if (held.length === 0) return false
  const first = await tx.identity.findFirst({
    where: linksThrough(workspaceId),
    orderBy: { createdAt: 'asc' },
    select: { subject: true },
  })
  return first === null || tenantIn(first.subject) === tenant
}

/** The tenant that `subjectOf` wrote into a subject. */
function tenantIn(subject: string): string | undefined {
  try {
    const read: unknown = JSON.parse(subject)
    return Array.isArray(read) && typeof read[0] === 'string' ? read[0] : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a provider may speak for an account: one whose own address is in the domain that is proven now, and no instance admin's. Whoever
 * could set a provider would be an instance admin otherwise.
 */
export const speaksFor = (domain: string, user: { email: string; instanceAdmin: boolean }): boolean =>
  domainOf(user.email) === domain && !user.instanceAdmin

/**
 * Notes that a provider has just confirmed a user, by a sign-in or an assertion. If a workspace requires SSO of the user, their
 * tokens work for as long as a session that began now (lib/policy/required-sso).
 */
export async function noteConfirmed(identity: { provider: string; subject: string }): Promise<void> {
  const confirmedUntil = new Date(databaseNow() + sessionSeconds() * 1000)
  await prisma().identity.updateMany({ where: identity, data: { confirmedUntil } })
}
