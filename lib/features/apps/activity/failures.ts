import { inOrderOf } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { collect } from '@/lib/base/process/tally'
import type { Actor } from '@/lib/policy/actor'
import { requireApp } from '../require-app'

/**
 * A rejected request from an app, or a logout notification that could not be delivered. Must not contain
 * secrets.
 */
export type Failure = {
  clientId: string
  /** The name of the endpoint's route in oidc-provider, such as `token`, or `backchannel_logout`. */
  endpoint: string
  error: string
  /** The error description that the app received, or a description of the undelivered notification. */
  description: string
  /** The reason, which only the app's developer sees. */
  reason?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
}

/**
 * The maximum number of failures per app, both in the database and in memory between two writes. Without a
 * maximum, a flood of failing requests would fill the memory and the database.
 */
const kept = 50

type Noted = Failure & { createdAt: Date }

/** Records a failure in memory, so that a rejected request does not wait for a database write. */
export function noteFailure(failure: Failure): void {
  gatheredFailures.add(failure.clientId, [{ ...failure, createdAt: new Date() }])
}

/**
 * Shortens long text, and replaces NUL characters. A single NUL character would make PostgreSQL reject the
 * whole batch.
 */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500)

/**
 * Gathers failures by app in memory, and writes them within a second. Each write skips apps that have since
 * been deleted, and deletes each app's oldest failures beyond the maximum.
 */
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
 * Returns an app's latest failures (up to `shown`), newest first, each with its reason if a reason was
 * recorded.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace` for `workspace:manage-apps`
 */
export async function listFailures(actor: Actor, clientId: string): Promise<FailureSummary[]> {
  await requireApp(actor, clientId)
  const [failures] = await listFailuresOf([clientId])
  return failures as FailureSummary[]
}

/** The maximum number of failures shown for an app. */
const shown = 20

/**
 * Returns the failures of several apps in the same form as `listFailures`, in one statement. The caller must
 * first check `workspace:manage-apps` for each app.
 */
export async function listFailuresOf(clientIds: readonly string[]): Promise<FailureSummary[][]> {
  // Write the failures that this process gathered in the last second, so that the result includes them.
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
