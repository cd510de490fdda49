import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { collect } from '@/lib/base/process/tally'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import { type Actor, actorHandle, type SessionActor } from '@/lib/policy/actor'
import { type EventNames, nameEvents } from './name-events'

type Recorded = Pick<
  AuditEvent,
  | 'id'
  | 'workspaceId'
  | 'userId'
  | 'actorId'
  | 'action'
  | 'resourceType'
  | 'resourceId'
  | 'details'
  | 'createdAt'
>

/** An action that an app performed for a user, with names. */
export type LastAction = Recorded & EventNames

/**
 * The number of a user's latest events to search. The limit keeps the cost independent of the size of the
 * audit log.
 */
const among = 2_000

const find = statement<Recorded, [userId: string, clientIds: readonly string[], each: number]>(
  'last-actions',
  `SELECT id, workspace_id AS "workspaceId", user_id AS "userId", actor_id AS "actorId", action,
          resource_type AS "resourceType", resource_id AS "resourceId", details, created_at AS "createdAt"
     FROM (SELECT *, row_number() OVER (PARTITION BY actor_id ORDER BY id DESC) AS place
             FROM (SELECT * FROM audit_events WHERE user_id = $1 ORDER BY id DESC LIMIT ${among}) latest
            WHERE actor_kind = 'oauth' AND actor_id = ANY ($2::text[])) ranked
    WHERE place <= $3 ORDER BY id DESC`,
)

/**
 * Returns the last actions that the given apps performed for the signed-in user, latest first. Searches only
 * the user's latest events (`among`).
 * @param each the maximum number of actions per app
 */
export async function listLastActions(
  actor: SessionActor,
  clientIds: readonly string[],
  each: number,
): Promise<LastAction[]> {
  // Write the calls that this process collected in the last second, so that they are included.
  await gatheredCalls.now()
  return nameEvents(await find(actor.userId, clientIds, each))
}

/**
 * The maximum number of calls to collect between two writes for each user of an app or token. If there are
 * more, only the latest calls are kept. Without a maximum, a flood of calls would fill the memory.
 */
const most = 200

type Noted = { actor: Actor; refused: string | undefined; createdAt: Date }

/**
 * Records a tool call by an agent in the audit log. Use this function for calls that changed nothing: calls
 * of tools that only read data, and rejected calls. For other calls, the event of the change contains the
 * tool (record-event.ts). Requests do not wait for the write, so the calls of the last second are lost if the
 * process crashes.
 * @param actor the actor and its tool; calls without a tool or in a browser session are not recorded
 * @param refused the error code of the response, if the call was rejected
 */
export function noteCall(actor: Actor, refused: string | undefined): void {
  const handle = actorHandle(actor)
  if (handle && actor.tool)
    gatheredCalls.add(`${handle} ${actor.userId}`, [{ actor, refused, createdAt: new Date() }])
}

/** The collected calls that are not stored yet, grouped by user and by app or token. */
export const gatheredCalls = collect<Noted[]>('calls of agents', {
  afterMs: 1_000,
  merge: (earlier, later) => [...earlier, ...later].slice(-most),
  write: async (gathered) => {
    await prisma().auditEvent.createMany({ data: [...gathered.values()].flat().map(rowOf) })
  },
})

const rowOf = ({ actor, refused, createdAt }: Noted) => ({
  // A call is recorded only in the user's own audit log or, for an app installation, in the workspace's audit
  // log.
  workspaceId: actor.kind === 'installation' ? actor.workspaceId : null,
  userId: actor.userId,
  actorKind: actor.kind,
  actorId: actorHandle(actor) ?? null,
  action: refused ? 'tool.refused' : 'tool.called',
  resourceType: 'tool',
  resourceId: actor.tool?.name ?? '',
  details: { ...(actor.tool ? { tool: actor.tool } : {}), ...(refused ? { refused } : {}) },
  ip: actor.ip ?? null,
  userAgent: actor.userAgent ?? null,
  createdAt,
})
