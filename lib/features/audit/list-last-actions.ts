import { statement } from '@/lib/base/db/statement'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import type { SessionActor } from '@/lib/policy/actor'
import { type EventNames, nameEvents } from './name-events'
import { gatheredCalls } from './note-call'

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
