import { type CountedSlice, cutPage, keysetQuery, type Page } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { wholeSelection } from '@/lib/features/apps/authorizations/api-grants'
import type { Actor } from '@/lib/policy/actor'
import { allowedTo } from '@/lib/policy/app-status'
import { limitScopes } from '@/lib/policy/scopes'
import { requireDecider } from './list-installed'

/**
 * A user who authorized an app for a workspace, with the authorized scopes and the user's selection in that
 * workspace.
 */
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
 * Returns one page of the users who authorized an app for a workspace or one of its projects, oldest
 * authorization first.
 * @throws the errors of `requireDecider`
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
  const shares = [{ workspaceIds: { has: id } }, { projectIds: { hasSome: projects.map((each) => each.id) } }]
  const where = {
    clientId,
    OR: [...shares, { apiGrants: { some: { OR: shares } } }],
    // Omit users who no longer have a role in the workspace or its projects. They no longer share the
    // workspace with the app.
    user: {
      OR: [
        { workspaceMemberships: { some: { workspaceId: id } } },
        { projectMemberships: { some: { project: { workspaceId: id } } } },
      ],
    },
  }
  const rows = await prisma().authorization.findMany({
    where: { AND: [where, { id: bounds }] },
    include: {
      user: { select: { name: true } },
      client: { select: { allowedScopes: true } },
      apiGrants: true,
    },
    ...window,
  })
  const users = rows.map((row) => {
    const shared = wholeSelection(row)
    const scopes = [...row.scopes, ...row.apiGrants.flatMap((grant) => grant.scopes)]
    return {
      id: row.id,
      userId: row.userId,
      name: row.user.name,
      scopes: limitScopes(scopes, allowedTo(row.clientId, row.client.allowedScopes)),
      whole: shared.workspaceIds.includes(id),
      projects: projects.filter((each) => shared.projectIds.includes(each.id)),
      since: row.createdAt,
      lastUsedAt: row.lastUsedAt,
    }
  })
  return { ...cutPage(page, users), count: () => prisma().authorization.count({ where }) }
}
