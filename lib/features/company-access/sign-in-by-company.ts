import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { recordEvent } from '@/lib/features/audit/record-event'
import { signInExternal } from '@/lib/features/identity/people/sign-in-external'
import { domainOf, providerName, speaksFor, subjectOf } from './company-person'

/** What a company's provider says of somebody who has just signed in there. */
type CompanyPerson = {
  sub: string
  tenant?: unknown
  email: string | undefined
  /** The provider says that it has not verified the address. */
  disowned: boolean
  name: string | undefined
  avatarUrl: string | undefined
}

/**
 * Finds or makes the person whom a company's provider names, and lets them join its workspace where its admins want that. In its
 * domain, which is proven, the provider's word for an address is enough.
 * @returns the person's id
 * @throws AppError FORBIDDEN (another domain, an operator, suspended, no new account may be made), CONFLICT (the address belongs to an account that
 *   was never verified, or to somebody else of the provider)
 * See decision 223.
 */
export async function signInByCompany(
  workspaceId: string,
  person: CompanyPerson,
): Promise<{ userId: string }> {
  const provider = await prisma().workspaceIdentityProvider.findFirst({
    where: { workspaceId, verifiedAt: { not: null } },
    select: { domain: true, joinAs: true, issuer: true },
  })
  const email = person.email?.trim().toLowerCase()
  if (!provider || !email || person.disowned || domainOf(email) !== provider.domain) {
    throw new AppError('FORBIDDEN', 'The provider did not name an address of the company’s.')
  }
  const named = { provider: providerName(workspaceId), subject: subjectOf(person.sub, person.tenant) }
  await requireSpokenFor(named, email, provider.domain)
  await requireOneSubject(named, email)
  const { name, avatarUrl } = person
  const { userId } = await signInExternal({ ...named, email, emailVerified: true, name, avatarUrl })
  if (provider.joinAs) await join(workspaceId, userId, provider.joinAs)
  return { userId }
}

type Named = { provider: string; subject: string }

/** The account that a subject is known by, else that of the address: neither is every account that the provider could name. */
async function requireSpokenFor(named: Named, email: string, domain: string): Promise<void> {
  const select = { email: true, instanceAdmin: true }
  const known = await prisma().identity.findUnique({
    where: { provider_subject: named },
    select: { user: { select } },
  })
  const user = known?.user ?? (await prisma().user.findUnique({ where: { email }, select }))
  if (user && !speaksFor(domain, user)) {
    throw new AppError('FORBIDDEN', 'The company’s provider does not speak for this account.')
  }
}

/** Whom the provider knows by another subject it does not mean by this one: the address was given to somebody else. */
async function requireOneSubject(named: Named, email: string): Promise<void> {
  const other = await prisma().identity.findFirst({
    where: { provider: named.provider, subject: { not: named.subject }, user: { email } },
    select: { subject: true },
  })
  if (other) throw new AppError('CONFLICT', 'This address belongs to another account of your company’s.')
}

async function join(workspaceId: string, userId: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER'): Promise<void> {
  await prisma().$transaction(async (tx) => {
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
