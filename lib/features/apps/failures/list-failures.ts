import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { requireApp } from '../require-app'
import { gatheredFailures } from './note-failure'

export type FailureSummary = {
  id: string
  endpoint: string
  error: string
  description: string
  reason: string | null
  createdAt: Date
}

/**
 * The last requests of an app that were refused, the newest first, with the reason as far as it helps its developer.
 * @throws AppError NOT_FOUND, and as `authorizeWorkspace` for `workspace:manage-apps`
 */
export async function listFailures(actor: Actor, clientId: string): Promise<FailureSummary[]> {
  await requireApp(actor, clientId)
  // What this process has seen in the last second belongs in the answer.
  await gatheredFailures.now()
  return prisma().appFailure.findMany({
    where: { clientId },
    orderBy: { id: 'desc' },
    take: 20,
    select: { id: true, endpoint: true, error: true, description: true, reason: true, createdAt: true },
  })
}
