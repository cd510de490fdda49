import { prisma } from '@/lib/base/db/prisma'
import { remember } from '@/lib/base/process/remember'
import { settleLater } from '@/lib/base/process/settle-later'

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

const notedByClient = () => remember('app-failures', () => new Map<string, Noted[]>())

/** Notes a failure. Kept in memory and written in batches, so that a refused request costs no more than another. */
export function noteFailure(failure: Failure): void {
  const byClient = notedByClient()
  const noted = byClient.get(failure.clientId) ?? []
  noted.push({ ...failure, createdAt: new Date() })
  byClient.set(failure.clientId, noted.slice(-kept))
  failureSettling.soon()
}

/** What a request said may be long, and hold a NUL, for which PostgreSQL would refuse the whole batch. */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500)

/** Writes what was noted, and drops the oldest of each app. An app that is gone meanwhile needs no record. */
export const failureSettling = settleLater('failures of apps', 1_000, async () => {
  const byClient = notedByClient()
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
})
