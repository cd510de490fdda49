import { prisma } from '@/lib/base/db/prisma'
import { gather } from '@/lib/base/process/tally'
import { type Actor, actorHandle } from '@/lib/policy/actor'

/** So many calls of one app or token are kept between two writes: a flood adds no more. */
const most = 200

type Noted = { actor: Actor; refused: string | undefined; createdAt: Date }

/**
 * Notes in the audit log that an agent called a tool which changed nothing: it read, or was refused. A change says the same
 * in its own event (record-event.ts). No request waits for it, and a crash loses the last second.
 * See decision 202.
 * @param actor with the tool; of a token without one nothing is noted
 * @param refused the code that it was told instead of an answer
 */
export function noteCall(actor: Actor, refused: string | undefined): void {
  const handle = actorHandle(actor)
  if (handle && actor.tool)
    gatheredCalls.add(`${handle} ${actor.userId}`, [{ actor, refused, createdAt: new Date() }])
}

/** Calls that wait to be written, by app or token and person. */
export const gatheredCalls = gather<Noted[]>('calls of agents', {
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
