import { remember } from '@/lib/config/remember'
import { onShutdown } from '@/lib/config/shutdown'
import { prisma } from '@/lib/db/prisma'

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
const settleAfterMs = 1000

type Noted = Failure & { createdAt: Date }
type State = { byClient: Map<string, Noted[]>; timer: NodeJS.Timeout | undefined }

const state = () =>
  remember<State>('app-failures', () => {
    onShutdown('failures of apps', settleFailures)
    return { byClient: new Map(), timer: undefined }
  })

/** Notes a failure. Kept in memory and written in batches, so that a refused request costs no more than another. */
export function noteFailure(failure: Failure): void {
  const { byClient } = state()
  const noted = byClient.get(failure.clientId) ?? []
  noted.push({ ...failure, createdAt: new Date() })
  byClient.set(failure.clientId, noted.slice(-kept))
  state().timer ??= setTimeout(() => {
    settleFailures().catch((error) => console.error(`failures of apps were not written: ${error.message}`))
  }, settleAfterMs).unref()
}

/** What a request said may be long, and hold a NUL, for which PostgreSQL would refuse the whole batch. */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500)

/** Writes what was noted, and drops the oldest of each app. An app that is gone meanwhile needs no record. */
export async function settleFailures(): Promise<void> {
  const { byClient, timer } = state()
  clearTimeout(timer)
  state().timer = undefined
  const noted = [...byClient.values()].flat()
  const clientIds = [...byClient.keys()]
  byClient.clear()
  if (noted.length === 0) return
  const known = await prisma().oAuthClient.findMany({
    where: { id: { in: clientIds } },
    select: { id: true },
  })
  const ids = new Set(known.map(({ id }) => id))
  await prisma().appFailure.createMany({
    data: noted
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
}
