import { prisma } from '@/lib/base/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import { needsSelection } from '@/lib/policy/scopes'
import { staysOutside } from '@/lib/policy/two-factor'
import { visibleWorkspaces } from '@/lib/policy/visible'

/**
 * The notifications an actor sees: the person's own. An app sees those that concern the person alone, and those of
 * workspaces that were shared with it: `notifications` by itself tells nothing of other people. A token made in a session
 * with one factor sees none of workspaces that ask for two, those the person has left included. The console shows a person what they were told.
 */
export async function visibleNotifications(actor: Actor): Promise<Prisma.NotificationWhereInput> {
  const userId = personOf(actor)
  if (actor.kind === 'oauth') {
    const shared = needsSelection(actor.scopes, 'workspace') ? await idsOf(visibleWorkspaces(actor)) : []
    return { userId, OR: [{ workspaceId: null }, { workspaceId: { in: shared } }] }
  }
  if (actor.kind === 'session' || !staysOutside(actor)) return { userId }
  const told = await prisma().notification.groupBy({ by: ['workspaceId'], where: { userId } })
  const ids = told.flatMap(({ workspaceId }) => workspaceId ?? [])
  const closed = await idsOf({ requireTwoFactor: true, id: { in: ids } })
  return { userId, OR: [{ workspaceId: null }, { workspaceId: { notIn: closed } }] }
}

const idsOf = async (where: Prisma.WorkspaceWhereInput): Promise<string[]> =>
  (await prisma().workspace.findMany({ where, select: { id: true } })).map(({ id }) => id)
