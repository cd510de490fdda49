import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { renewEach } from '@/lib/features/apps/renew-domains'
import { renewCompanyDomain } from './company-domain'

const day = 86_400_000

/** Looked at in one run; the next takes what is left. */
const portion = 200

/** Looks again for the proofs of companies' domains, each once a day. Runs regularly. See decision 218. */
export async function renewCompanyDomains(): Promise<void> {
  const due = await prisma().workspaceIdentityProvider.findMany({
    where: { verifiedAt: { not: null }, checkedAt: { lte: new Date(databaseNow() - day) } },
    orderBy: { checkedAt: 'asc' },
    take: portion,
  })
  await renewEach(due, renewCompanyDomain)
}
