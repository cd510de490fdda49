import type { Db } from '@/lib/base/db/prisma'

/** A workspace that has no other admin who can sign in, and those of its members to whom it can be handed over. */
export type SoleAdminOf = {
  id: string
  name: string
  slug: string
  heirs: { id: string; name: string; email: string }[]
}

/** As many members as a choice holds; a workspace with more has one of these, or makes another admin first. */
const mostHeirs = 200

/**
 * The workspaces that a person alone administers: admins who are suspended administer nothing.
 * @param db the transaction that ends the account, or the client for showing what it would come to
 */
export async function soleAdminOf(db: Db, userId: string): Promise<SoleAdminOf[]> {
  const workspaces = await db.workspace.findMany({
    where: {
      AND: [
        { members: { some: { userId, role: 'ADMIN' } } },
        { members: { none: { userId: { not: userId }, role: 'ADMIN', user: { suspendedAt: null } } } },
      ],
    },
    select: {
      id: true,
      name: true,
      slug: true,
      members: {
        where: { userId: { not: userId }, user: { suspendedAt: null } },
        select: { user: { select: { id: true, name: true, email: true } } },
        orderBy: { createdAt: 'asc' },
        take: mostHeirs,
      },
    },
    orderBy: { name: 'asc' },
  })
  return workspaces.map(({ members, ...workspace }) => ({
    ...workspace,
    heirs: members.map(({ user }) => user),
  }))
}

/** Has admins of people's workspaces who go at the same moment wait for each other: the second finds that they are the last. */
export const lockAdminsBeside = (tx: Db, userIds: readonly string[]): Promise<unknown> =>
  tx.$queryRaw`
    SELECT m.user_id FROM workspace_members m
     WHERE m.role = 'ADMIN'
       AND m.workspace_id IN (SELECT workspace_id FROM workspace_members WHERE user_id = ANY(${userIds}::uuid[]))
     ORDER BY m.workspace_id, m.user_id FOR UPDATE`
