import { config } from '@/lib/base/config/env'
import { deleteInBatches } from '@/lib/base/db/delete-in-batches'
import { type CountedSlice, cutPage, keysetQuery, maxPageSize, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Prisma, DeletedProject as Row } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { requireWorkspace } from '@/lib/policy/require'

/** A project that can be restored. */
export type DeletedProject = Omit<Row, 'members' | 'environments'>

const dayMs = 86_400_000

/** Until when a deletion can be taken back. */
export const restorableUntil = ({ deletedAt }: Pick<DeletedProject, 'deletedAt'>): Date =>
  new Date(deletedAt.getTime() + config().RESTORE_DAYS * dayMs)

/** Those whose time is not over. */
export const stillRestorable = (): Prisma.DeletedProjectWhereInput => ({
  deletedAt: { gt: new Date(Date.now() - config().RESTORE_DAYS * dayMs) },
})

/**
 * One page of the projects of a workspace that were deleted and can be restored, oldest first. Takes `workspace:restore-projects`.
 * @throws AppError as `authorizeWorkspace`
 */
export async function listDeletedProjects(
  actor: Actor,
  workspaceId: string,
  page: Page,
): Promise<CountedSlice<DeletedProject>> {
  const workspace = await requireWorkspace(actor, 'workspace:restore-projects', workspaceId)
  const where = { workspaceId: workspace.id, ...stillRestorable() }
  const { bounds, ...window } = keysetQuery(page)
  const rows = await prisma().deletedProject.findMany({
    where: { AND: [where, { id: bounds }] },
    omit: { members: true, environments: true },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().deletedProject.count({ where }) }
}

/** The same for a page: the latest in front, each with its end, at most a hundred. */
export async function recentlyDeleted(actor: Actor, workspaceId: string) {
  const latest = { limit: maxPageSize, backward: true, after: null, before: null }
  const { rows } = await listDeletedProjects(actor, workspaceId, latest)
  return rows
    .map((row) => ({ ...row, restorableUntil: restorableUntil(row) }))
    .sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime())
}

/** A run that finds more than it can remove in this time leaves the rest to the next one. */
const longestMs = 60_000

/** Removes what can no longer be restored, for good. @returns how many projects */
export const forgetProjects = (): Promise<number> =>
  deleteInBatches(
    {
      table: 'deleted_projects',
      key: 'id',
      where: `deleted_at <= now() - interval '${config().RESTORE_DAYS} days'`,
    },
    performance.now() + longestMs,
  )
