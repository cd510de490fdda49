import { prisma } from '@/lib/db/prisma'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { needsSelection } from '@/lib/policy/scopes'
import { visibleWorkspaces } from '@/lib/policy/visible'

/**
 * The notifications an actor sees: the person's own. An app sees those that concern the person alone, and those of
 * workspaces that were shared with it: `notifications` by itself tells nothing of other people.
 */
export async function visibleNotifications(actor: Actor): Promise<Prisma.NotificationWhereInput> {
  const { userId } = actor
  if (actor.kind !== 'oauth') return { userId }
  const shared = needsSelection(actor.scopes, 'workspace')
    ? await prisma().workspace.findMany({ where: visibleWorkspaces(actor), select: { id: true } })
    : []
  return { userId, OR: [{ workspaceId: null }, { workspaceId: { in: shared.map(({ id }) => id) } }] }
}
