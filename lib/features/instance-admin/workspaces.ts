import { z } from 'zod'
import { cutPage, keysetQuery, type Page } from '@/lib/base/db/paging'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { log } from '@/lib/base/log/log'
import { emailAddress } from '@/lib/base/mail/email-address'
import { nameEvents } from '@/lib/features/audit/name-events'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'

/**
 * The maximum number of apps, of events, and of candidates for the admin role in a workspace's details.
 * Instance admins find all apps and events on other pages.
 */
const few = 10

const shownUser = { id: true, name: true, email: true, avatarUrl: true, suspendedAt: true } as const

/**
 * Returns a workspace's details for instance admins: its settings, the numbers of its members, projects, and
 * other resources, its latest apps and events, and, if it is abandoned, the candidates for the admin role.
 * @throws AppError FORBIDDEN if the actor is not an instance admin, or NOT_FOUND
 */
export async function getWorkspace(actor: Actor, id: string) {
  authorizeInstance(actor)
  const workspace = isId(id)
    ? await prisma().workspace.findUnique({
        where: { id },
        select: {
          id: true,
          name: true,
          slug: true,
          requireTwoFactor: true,
          appPolicy: true,
          identityProvider: { select: { issuer: true, domain: true, verifiedAt: true } },
          createdAt: true,
          personalOwner: { select: { id: true, name: true } },
          clients: {
            select: {
              id: true,
              name: true,
              logoUrl: true,
              logoDarkUrl: true,
              verifiedAt: true,
              disabledAt: true,
              createdAt: true,
            },
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take: few,
          },
          _count: {
            select: {
              members: true,
              projects: true,
              clients: true,
              apiTokens: true,
              webhooks: true,
              installations: true,
              invitations: true,
            },
          },
        },
      })
    : null
  if (!workspace) throw new AppError('NOT_FOUND', 'The workspace was not found.')
  const events = await prisma().auditEvent.findMany({
    where: { workspaceId: workspace.id },
    orderBy: { id: 'desc' },
    take: few,
  })
  const { _count: counts, clients: apps, ...rest } = workspace
  return { ...rest, counts, apps, abandoned: await heirsOf(workspace.id), events: await nameEvents(events) }
}

/**
 * Returns up to ten members who can sign in, earliest members first, as candidates for the admin role.
 * Returns undefined if the workspace has an admin who can sign in.
 */
async function heirsOf(workspaceId: string): Promise<{ name: string; email: string }[] | undefined> {
  if ((await prisma().workspaceMember.count({ where: adminsWhoCan(workspaceId) })) > 0) return undefined
  const members = await prisma().workspaceMember.findMany({
    where: { workspaceId, user: { suspendedAt: null } },
    select: { user: { select: { name: true, email: true } } },
    orderBy: { createdAt: 'asc' },
    take: few,
  })
  return members.map(({ user }) => user)
}

/**
 * Returns one page of a workspace's members, sorted by the age of their accounts, oldest first.
 * @throws AppError FORBIDDEN if the actor is not an instance admin
 */
export async function listWorkspaceMembers(actor: Actor, workspaceId: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, orderBy, take } = keysetQuery(page)
  const rows = await prisma().workspaceMember.findMany({
    where: { workspaceId, userId: bounds },
    select: { role: true, createdAt: true, user: { select: shownUser } },
    orderBy: { userId: orderBy.id },
    take,
  })
  return cutPage(
    page,
    rows.map(({ user, role, createdAt }) => ({ ...user, role, joinedAt: createdAt })),
  )
}

const input = z.object({ email: emailAddress })

/**
 * Returns the condition for a workspace's admins who can sign in. If there is such an admin, the workspace
 * cannot be assigned to a new admin.
 */
const adminsWhoCan = (workspaceId: string) => ({
  workspaceId,
  role: 'ADMIN' as const,
  user: { suspendedAt: null },
})

/**
 * Assigns an abandoned workspace to a new admin. A workspace is abandoned if it has no admins, or if all its
 * admins are suspended. The new admin must be a member who can sign in or, if there is no such member, can be
 * any other active user with a confirmed email address. Instance admins cannot assign a workspace to
 * themselves, because they could otherwise access its contents without anyone else's involvement. Records the
 * assignment in the workspace's audit log and notifies the new admin. See ADR 0031.
 * @param values contains `email`
 * @throws AppError FORBIDDEN if the actor is not an instance admin, NOT_FOUND, CONFLICT if the workspace has
 * an admin who can sign in or if the new admin is the actor, or BAD_USER_INPUT for `email`
 */
export async function assignWorkspace(actor: Actor, id: string, values: unknown): Promise<void> {
  authorizeInstance(actor)
  const { email } = parseInput(input, values)
  const to = await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    // Lock the workspace. If two instance admins assign it concurrently, the second call waits, finds the
    // admin whom the first call assigned, and is rejected.
    const [workspace] = isId(id)
      ? await tx.$queryRaw<{ id: string }[]>`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`
      : []
    if (!workspace) throw new AppError('NOT_FOUND', 'The workspace was not found.')
    if ((await tx.workspaceMember.count({ where: adminsWhoCan(id) })) > 0) {
      throw new AppError(
        'CONFLICT',
        'This workspace has an admin who can sign in. Ask that admin to make the change.',
      )
    }
    const { id: userId, role } = await findHeir(tx, id, email)
    if (userId === actor.userId)
      throw new AppError('CONFLICT', 'You can’t assign the workspace to yourself. Choose another user.')
    await tx.workspaceMember.upsert({
      where: { workspaceId_userId: { workspaceId: id, userId } },
      create: { workspaceId: id, userId, role: 'ADMIN' },
      update: { role: 'ADMIN' },
    })
    await recordEvent(tx, actor, {
      action: 'workspace.admin_assigned',
      resource: { type: 'user', id: userId },
      workspaceId: id,
      details: { from: role ?? null, to: 'ADMIN' },
    })
    return userId
  })
  log.info('an instance admin acted', {
    action: 'workspace.admin_assigned',
    instanceAdmin: actor.userId,
    workspace: id,
    user: to,
  })
}

/**
 * Returns the ID of the active user with the given email address, and the user's role in the workspace. The
 * role is undefined for users who are not members.
 * @throws AppError BAD_USER_INPUT on `email` if there is no such user, or if the workspace cannot be assigned
 * to this user
 */
async function findHeir(tx: Db, workspaceId: string, email: string) {
  const user = await tx.user.findUnique({
    where: { email, suspendedAt: null },
    select: {
      id: true,
      emailVerifiedAt: true,
      workspaceMemberships: { where: { workspaceId }, select: { role: true } },
    },
  })
  if (!user) throw badInput('email', 'No active user has this email address. Choose another user.')
  const role = user.workspaceMemberships[0]?.role
  if (role) return { id: user.id, role }
  if ((await tx.workspaceMember.count({ where: { workspaceId, user: { suspendedAt: null } } })) > 0) {
    throw badInput('email', 'Choose a member of the workspace who can sign in.')
  }
  if (!user.emailVerifiedAt)
    throw badInput(
      'email',
      'This email address is not confirmed, so anyone could have signed up with it. Choose another user.',
    )
  return { id: user.id, role }
}
