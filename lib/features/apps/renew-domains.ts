import pLimit from 'p-limit'
import { prisma } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { AppDomain } from '@/lib/generated/prisma/client'
import { noteLook } from './app-domain'
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
  await renewEach(due, renew)
}

/**
 * Renews several claims at a time, so that a domain whose server hangs does not delay the others.
 * @throws what the first failure was, after all others are done
 */
export async function renewEach<Claim>(
  claims: readonly Claim[],
  renewOne: (claim: Claim) => Promise<void>,
): Promise<void> {
  const limit = pLimit(10)
  const outcomes = await Promise.allSettled(claims.map((claim) => limit(renewOne, claim)))
  const failure = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failure) throw failure.reason
}

async function renew(claim: AppDomain): Promise<void> {
  const proof = await lookForProof(claim)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({
      where: { id: claim.clientId },
      select: { id: true, name: true, workspaceId: true },
    })
    if (app) await noteLook(tx, { kind: 'system' }, app, claim, proof)
  })
}
