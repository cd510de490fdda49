import { inOrderOf } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { collect } from '@/lib/base/process/tally'
import type { Actor } from '@/lib/policy/actor'
import { requireApp } from '../require-app'

/** A request of an app that was refused. Nothing in here may be a secret. */
export type Failure = {
  clientId: string
  /** The engine's name of the endpoint, such as `token`. */
  endpoint: string
  error: string
  /** What the app was told. */
  description: string
  /** What only its developer is told. */
  reason?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
}

/** How many of an app's failures are kept, and how many are taken between two writes: a flood adds nothing. */
const kept = 50

type Noted = Failure & { createdAt: Date }

/** Notes a failure, so that a refused request costs no more than another. */
export function noteFailure(failure: Failure): void {
  gatheredFailures.add(failure.clientId, [{ ...failure, createdAt: new Date() }])
}

/** What a request said may be long, and hold a NUL, for which PostgreSQL would refuse the whole batch. */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500)

/** Refused requests by the app that made them. An app that is gone meanwhile needs no record; the oldest of each go. */
export const gatheredFailures = collect<Noted[]>('failures of apps', {
  afterMs: 1_000,
  merge: (earlier, later) => [...earlier, ...later].slice(-kept),
  write: async (gathered) => {
    const clientIds = [...gathered.keys()]
    const known = await prisma().oAuthClient.findMany({
      where: { id: { in: clientIds } },
      select: { id: true },
    })
    const ids = new Set(known.map(({ id }) => id))
    await prisma().appFailure.createMany({
      data: [...gathered.values()]
        .flat()
        .filter(({ clientId }) => ids.has(clientId))
        .map(({ description, reason, userAgent, ...rest }) => ({
          ...rest,
          description: cut(description) ?? '',
          reason: cut(reason),
          userAgent: cut(userAgent),
        })),
    })
    await prisma().$executeRaw`
      DELETE FROM app_failures WHERE id IN (
        SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY client_id ORDER BY id DESC) AS place
                          FROM app_failures WHERE client_id = ANY (${clientIds})) ranked
         WHERE place > ${kept})`
  },
})

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
