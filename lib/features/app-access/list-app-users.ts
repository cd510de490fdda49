import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { allowedTo } from '@/lib/policy/app-status'
import { limitScopes } from '@/lib/policy/scopes'
import { requireDecider } from './list-installed'

/** A user who authorized an app for a workspace: the scopes, and the selection in the workspace. */
export type AppUser = {
  id: string
  userId: string
  name: string
  scopes: string[]
  whole: boolean
  projects: { id: string; name: string }[]
  since: Date
  lastUsedAt: Date | null
}

/**
 * Returns one page of the users who authorized an app for a workspace or its projects, oldest authorization
 * first.
 * @throws AppError as `requireDecider`
 */
export async function listAppUsers(
  actor: Actor,
  workspaceId: string,
  clientId: string,
  page: Page,
): Promise<CountedSlice<AppUser>> {
  const { id } = await requireDecider(actor, workspaceId)
  const projects = await prisma().project.findMany({
    where: { workspaceId: id },
    select: { id: true, name: true },
  })
  const { bounds, ...window } = keysetQuery(page)
  const where = {
    clientId,
    OR: [{ workspaceIds: { has: id } }, { projectIds: { hasSome: projects.map((each) => each.id) } }],
    // Users who left the workspace no longer share it.
    user: {
      OR: [
        { workspaceMemberships: { some: { workspaceId: id } } },
        { projectMemberships: { some: { project: { workspaceId: id } } } },
      ],
    },
  }
  const rows = await prisma().authorization.findMany({
    where: { AND: [where, { id: bounds }] },
    include: { user: { select: { name: true } }, client: { select: { allowedScopes: true } } },
    ...window,
  })
  const users = rows.map((row) => ({
    id: row.id,
    userId: row.userId,
    name: row.user.name,
    scopes: limitScopes(row.scopes, allowedTo(row.clientId, row.client.allowedScopes)),
    whole: row.workspaceIds.includes(id),
    projects: projects.filter((each) => row.projectIds.includes(each.id)),
    since: row.createdAt,
    lastUsedAt: row.lastUsedAt,
  }))
  return { ...cutPage(page, users), count: () => prisma().authorization.count({ where }) }
}
