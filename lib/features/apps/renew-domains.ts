import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { AppDomain } from '@/lib/generated/prisma/client'
import { endOfGrace, missed, noteProof, same } from './app-domain'
import { lookForProof } from './domain-proof'

const day = 86_400_000

/** Looked at in one run; the next takes what is left. */
const portion = 200

/**
 * Looks again for the proofs of domains, each once a day. Admins are told of one that is gone when that is first noticed; after a
 * grace the mark is gone as well. Runs regularly.
 * See decision 209.
 */
export async function renewDomains(): Promise<void> {
  const due = await prisma().appDomain.findMany({
    where: { verifiedAt: { not: null }, checkedAt: { lte: new Date(databaseNow() - day) } },
    orderBy: { checkedAt: 'asc' },
    take: portion,
  })
  for (const claim of due) await renew(claim)
}

async function renew(claim: AppDomain): Promise<void> {
  const proof = await lookForProof(claim)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({
      where: { id: claim.clientId },
      select: { id: true, name: true, workspaceId: true },
    })
    if (!app) return
    if ('found' in proof) return noteProof(tx, { kind: 'system' }, app, claim, proof.found)
    const now = databaseNow()
    const since = claim.failingSince ?? new Date(now)
    const lost = now >= endOfGrace(since).getTime()
    const { count } = await tx.appDomain.updateMany({
      where: same(claim),
      data: { ...missed(proof.problem), failingSince: since, ...(lost ? { verifiedAt: null } : {}) },
    })
    if (count === 0 || (claim.failingSince && !lost)) return
    await recordEvent(
      tx,
      { kind: 'system' },
      {
        action: lost ? 'oauth_app.domain_lost' : 'oauth_app.domain_failing',
        resource: { type: 'oauth_app', id: app.id },
        workspaceId: app.workspaceId,
        details: {
          name: app.name,
          domain: claim.domain,
          problem: proof.problem,
          until: endOfGrace(since).toISOString(),
        },
      },
    )
  })
}
