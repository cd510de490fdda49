import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { workspacesWith } from '@/lib/policy/visible'

/** More than these are not offered; the API takes any. */
const most = 200

/** The workspaces that an actor may move projects to, by name, apart from the one where a project is. At most 200. */
export const listDestinations = (
  actor: Actor,
  workspaceId: string,
): Promise<{ id: string; name: string }[]> =>
  prisma().workspace.findMany({
    where: { AND: [workspacesWith(actor, 'workspace:transfer-projects'), { id: { not: workspaceId } }] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: most,
  })
