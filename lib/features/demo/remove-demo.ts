import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { tellOfDeletion } from '@/lib/features/apps/activity/back-channel-logout'
import { endAuthorizations } from '@/lib/features/apps/authorizations/revoke-authorization'
import { blockJoining, lockToDelete } from '@/lib/features/workspaces/delete-workspace'
import { lockAdminsOfOthers } from '@/lib/features/workspaces/remove-member'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { providerName } from '@/lib/policy/required-sso'

/**
 * Returns whether the demo created a workspace. The caller must first check that the actor can read the
 * workspace.
 */
export const isDemoWorkspace = async (id: string): Promise<boolean> =>
  (await prisma().workspace.count({ where: { id, demo: true } })) > 0

/**
 * Returns the number of demo users and demo workspaces.
 * @throws AppError FORBIDDEN if the caller is not an instance admin
 */
export async function countDemo(actor: Actor): Promise<{ users: number; workspaces: number }> {
  authorizeInstance(actor)
  const [users, workspaces] = await Promise.all([
    prisma().user.count({ where: { demo: true } }),
    prisma().workspace.count({ where: { demo: true } }),
  ])
  return { users, workspaces }
}

/** The names of the removed users and demo workspaces. The users' personal workspaces are not listed. */
export type RemovedDemo = { users: string[]; workspaces: string[] }

/** Long timeouts, because the demo users might have created a lot of data. */
const patient = { maxWait: 60_000, timeout: 300_000 }

/**
 * Deletes the demo users, the demo workspaces, and the demo users' personal workspaces without other members.
 * All projects, apps, tokens, webhooks, and audit logs of these workspaces are also deleted. Unless
 * `withEverything` is true, throws if other users are members of one of these workspaces or its projects,
 * because their work would be deleted too. Also throws if another workspace or the instance would be left
 * without an admin.
 * @param withEverything whether to also delete workspaces that have other users, including the work of these
 * users
 * @throws AppError CONFLICT if a workspace has other users, or if another workspace or the instance would
 * have no admin
 */
export const removeDemo = ({ withEverything = false } = {}): Promise<RemovedDemo> =>
  inTransaction(async (tx) => {
    await hold(tx)
    const users = await tx.user.findMany({
      where: { demo: true },
      select: { id: true, name: true },
      orderBy: { id: 'asc' },
    })
    const userIds = users.map(({ id }) => id)
    if (userIds.length > 0) await requireInstanceAdmin(tx)
    const workspaces = await tx.workspace.findMany({
      where: { OR: [{ demo: true }, ownOnly(userIds)] },
      select: { id: true, name: true, demo: true },
      orderBy: { id: 'asc' },
    })
    const workspaceIds = workspaces.map(({ id }) => id)
    if (!withEverything) await requireNobodyElse(tx, userIds, workspaceIds)
    await requireAdmins(tx, userIds, workspaceIds)
    await endAuthorizations(tx, {
      OR: [{ userId: { in: userIds } }, { client: { workspaceId: { in: workspaceIds } } }],
    })
    await tx.workspace.deleteMany({ where: { id: { in: workspaceIds } } })
    await tx.identity.deleteMany({ where: { provider: { in: workspaceIds.map(providerName) } } })
    await tellOfDeletion(tx, userIds)
    await tx.user.deleteMany({ where: { id: { in: userIds } } })
    await tx.auditEvent.deleteMany({ where: { workspaceId: { in: workspaceIds } } })
    // Without Citus, a trigger stored the workspaces' names for their audit logs. Delete the names too,
    // because the audit logs are also deleted.
    await tx.deletedWorkspace.deleteMany({ where: { id: { in: workspaceIds } } })
    return {
      users: users.map(({ name }) => name),
      workspaces: workspaces.filter(({ demo }) => demo).map(({ name }) => name),
    }
  }, patient)

/**
 * Locks the checked rows until the demo is removed. Until then, no one can join the demo's workspaces or
 * projects. Other instance admins, and other admins of all workspaces that have demo users, cannot lose their
 * roles. The lock order is the same as in all other deletions (ADR 0017).
 */
async function hold(tx: Db): Promise<void> {
  const users = await tx.$queryRaw<{ id: string; demo: boolean }[]>`
    SELECT id, demo FROM users WHERE demo OR instance_admin ORDER BY id FOR NO KEY UPDATE`
  const userIds = users.filter(({ demo }) => demo).map(({ id }) => id)
  const going = await tx.workspace.findMany({
    where: { OR: [{ demo: true }, { personalOwnerId: { in: userIds } }] },
    select: { id: true },
  })
  const ids = going.map(({ id }) => id)
  await lockToDelete(tx, ids)
  await lockAdminsOfOthers(tx, userIds)
  await tx.$queryRaw`SELECT id FROM users WHERE id = ANY(${userIds}::uuid[]) ORDER BY id FOR UPDATE`
  await blockJoining(tx, ids)
}

/** Returns the condition for the users' personal workspaces without other members. */
const ownOnly = (userIds: string[]) => ({
  personalOwnerId: { in: userIds },
  members: { every: { userId: { in: userIds } } },
})

async function requireInstanceAdmin(tx: Db): Promise<void> {
  const others = await tx.user.count({ where: { instanceAdmin: true, demo: false, suspendedAt: null } })
  if (others > 0) return
  throw new AppError(
    'CONFLICT',
    'Only demo users are instance admins. Sign up and run `latchkey grant-admin <your email>` first.',
  )
}

/**
 * Throws if a user outside the demo is a member of a workspace that will be deleted, or of one of its
 * projects.
 */
async function requireNobodyElse(tx: Db, userIds: string[], going: string[]): Promise<void> {
  const others = { some: { userId: { notIn: userIds } } }
  const shared = await tx.workspace.findMany({
    where: { id: { in: going }, OR: [{ members: others }, { projects: { some: { members: others } } }] },
    select: { name: true },
    orderBy: { id: 'asc' },
  })
  if (shared.length === 0) return
  throw new AppError(
    'CONFLICT',
    `Users outside the demo are members of ${shared.map(({ name }) => `“${name}”`).join(', ')}, and their work would be deleted too. Remove those users from the workspaces first, or add --with-everything.`,
  )
}

/**
 * Throws if a demo user is a member of a workspace that is not removed and that has no admin outside the
 * demo.
 */
async function requireAdmins(tx: Db, userIds: string[], going: string[]): Promise<void> {
  const left = await tx.workspaceMember.findFirst({
    where: {
      userId: { in: userIds },
      workspaceId: { notIn: going },
      workspace: { members: { none: { role: 'ADMIN', userId: { notIn: userIds } } } },
    },
    select: { user: { select: { name: true } }, workspace: { select: { name: true } } },
  })
  if (!left) return
  throw new AppError(
    'CONFLICT',
    `“${left.workspace.name}”, which is not part of the demo, has no admin outside the demo. Add another admin or delete the workspace first.`,
  )
}
