import { randomUUID } from 'node:crypto'
import { firstIdAt } from '@/lib/base/db/keyset'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { requestId } from '@/lib/base/log/request-scope'
import { gather } from '@/lib/base/process/gather'
import type { ActivityKind } from './kinds'

/** Something that happened around an app. Nothing in here may be a secret. */
export type Activity = {
  clientId: string
  kind: ActivityKind
  userId?: string | null | undefined
  scopes?: readonly string[] | undefined
  /** The OAuth error code and the reason of a refusal. */
  error?: string | undefined
  detail?: string | undefined
  ip?: string | undefined
  userAgent?: string | undefined
}

type Noted = Activity & { id: string; traceId: string | undefined; createdAt: Date }

/** How much of one app is taken between two writes: a flood adds nothing. */
const mostAtOnce = 500

/** Notes it in memory, so that no request waits for it; a crash loses at most the last second. See decision 201. */
export function noteActivity(activity: Activity): void {
  gatheredActivity.add(activity.clientId, [named(activity)])
}

/** Writes it with the change it tells of. */
export const writeActivity = (tx: Db, activity: Activity): Promise<void> => insert(tx, [named(activity)])

/** Its id is of the moment, not of the writing, so that things stand in the order in which they happened. */
function named(activity: Activity): Noted {
  const createdAt = new Date()
  const id = firstIdAt(createdAt).slice(0, 15) + randomUUID().slice(15)
  return { ...activity, id, traceId: requestId(), createdAt }
}

/** What waits to be written, by app. */
export const gatheredActivity = gather<Noted[]>('activity of apps', {
  afterMs: 1_000,
  merge: (earlier, later) => [...earlier, ...later].slice(-mostAtOnce),
  write: (gathered) => insert(prisma(), [...gathered.values()].flat()),
})

/** What a request said may be long, and hold a NUL, for which PostgreSQL would refuse the whole batch. */
const cut = (text: string | undefined) => text?.replaceAll('\0', '\ufffd').slice(0, 500) ?? null

/** Apps without a workspace have no page, and so nobody who could read it. */
async function insert(db: Db, noted: readonly Noted[]): Promise<void> {
  const known = await db.oAuthClient.findMany({
    where: { id: { in: [...new Set(noted.map(({ clientId }) => clientId))] }, source: 'SETTINGS' },
    select: { id: true },
  })
  const ids = new Set(known.map(({ id }) => id))
  const data = noted
    .filter(({ clientId }) => ids.has(clientId))
    .map(({ userId, scopes, error, detail, ip, userAgent, traceId, ...rest }) => ({
      ...rest,
      userId: userId ?? null,
      scopes: (scopes ?? []).slice(0, 20).map((scope) => cut(scope) ?? ''),
      error: cut(error),
      detail: cut(detail),
      ip: ip ?? null,
      userAgent: cut(userAgent),
      traceId: traceId ?? null,
    }))
  if (data.length > 0) await db.appEvent.createMany({ data })
}
