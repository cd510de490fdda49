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

/** What an app did for a person, with names. */
export type LastAction = Recorded & EventNames

/** Looked for among so many of a person's latest events, so that the cost does not follow what they did in years. */
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
 * The last things that apps did for a person, of each the latest first, as far as they are among the person's latest events.
 * @param each how many of each app at most
 */
export async function listLastActions(
  actor: SessionActor,
  clientIds: readonly string[],
  each: number,
): Promise<LastAction[]> {
  // What this process has seen in the last second belongs in the answer.
  await gatheredCalls.now()
  return nameEvents(await find(actor.userId, clientIds, each))
}

/** So many calls of one app or token are kept between two writes: a flood adds no more. */
const most = 200

type Noted = { actor: Actor; refused: string | undefined; createdAt: Date }

/**
 * Notes in the audit log that an agent called a tool which changed nothing: it read, or was refused. A change says the same
 * in its own event (record-event.ts). No request waits for it, and a crash loses the last second.
 * See ADR 0032.
 * @param actor with the tool; of a token without one nothing is noted
 * @param refused the code that it was told instead of an answer
 */
export function noteCall(actor: Actor, refused: string | undefined): void {
  const handle = actorHandle(actor)
  if (handle && actor.tool)
    gatheredCalls.add(`${handle} ${actor.userId}`, [{ actor, refused, createdAt: new Date() }])
}

/** Calls that wait to be written, by app or token and person. */
export const gatheredCalls = collect<Noted[]>('calls of agents', {
  afterMs: 1_000,
  merge: (earlier, later) => [...earlier, ...later].slice(-most),
  write: async (gathered) => {
    await prisma().auditEvent.createMany({ data: [...gathered.values()].flat().map(rowOf) })
  },
})

const rowOf = ({ actor, refused, createdAt }: Noted) => ({
  // What is read stands in nobody's log but the reader's: an installation's is its workspace's.
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
