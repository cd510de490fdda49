import { inOrderOf } from '@/lib/base/db/in-order-of'
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
  const [failures] = await listFailuresOf([clientId])
  return failures as FailureSummary[]
}

/** Requests that are shown of an app. */
const shown = 20

/** The same of several apps, in one statement. The caller has required `workspace:manage-apps` for each. */
export async function listFailuresOf(clientIds: readonly string[]): Promise<FailureSummary[][]> {
  // What this process has seen in the last second belongs in the answer.
  await gatheredFailures.now()
  const rows = await prisma().appFailure.findMany({
    where: { clientId: { in: [...clientIds] } },
    orderBy: { id: 'desc' },
    select: {
      clientId: true,
      id: true,
      endpoint: true,
      error: true,
      description: true,
      reason: true,
      createdAt: true,
    },
  })
  return inOrderOf(clientIds, rows, (row) => row.clientId).map((each) => each.slice(0, shown))
}
