import type { Db } from '@/lib/base/db/prisma'
import { databaseNow } from '@/lib/base/db/watch-clock'
import type { AuditRecord } from '@/lib/features/audit/audit-record'
import { wordsOf } from './notice-words'
import { type Notice, notify } from './notify'
import { person } from './people-with'

/** Where an operator finds all apps that wait for their word. */
const waitingAppsPath = '/operator/apps?state=waiting'

/**
 * Tells the operators that an app which registered itself waits for their approval: once a day, of the first of the day. Anybody
 * can register apps, and nobody shall fill an operator's mailbox by it; the rest they find on the same page.
 * See decision 178.
 * @param tx the transaction of the registration
 */
export async function tellOfWaitingApp(tx: Db, app: { id: string; name: string }): Promise<void> {
  const operators = await tx.user.findMany({ where: { instanceAdmin: true, suspendedAt: null }, ...person })
  const day = new Date(databaseNow()).toISOString().slice(0, 10)
  await notify(
    tx,
    operators.map((to) => ({
      to,
      type: 'APP_REQUESTED',
      words: wordsOf('notice.waiting', 'notice.waitingText', { app: app.name }),
      resource: { type: 'oauth_app', id: app.id },
      path: waitingAppsPath,
      inApp: true,
      email: true,
      dedupeKey: `app-waiting:${to.id}:${day}`,
    })),
  )
}

/** Whoever an operator made an admin of an abandoned workspace is told of it. */
export async function workspaceGiven(tx: Db, { workspaceId, resource }: AuditRecord): Promise<Notice[]> {
  const to = await tx.user.findUnique({ where: { id: resource.id }, ...person })
  const place = workspaceId && (await tx.workspace.findUnique({ where: { id: workspaceId } }))
  if (!to || !place) return []
  return [
    {
      to,
      workspaceId: place.id,
      // The nearest that there is a word for (kind.ts).
      type: 'MEMBER_ADDED',
      words: wordsOf('notice.given', 'notice.givenText', { workspace: place.name }),
      resource,
      path: `/workspaces/${place.slug}`,
      inApp: true,
      email: true,
    },
  ]
}
