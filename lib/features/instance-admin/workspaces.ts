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
import { holdInstance } from '@/lib/policy/hold'

/** As many of its apps and events as fit beside its members; lists of their own have the rest. */
const few = 10

const shownPerson = { id: true, name: true, email: true, avatarUrl: true, suspendedAt: true } as const

/**
 * A workspace as the instance admin sees it: what it holds, whether it is abandoned, and the latest of its apps and of what happened in it.
 * @throws AppError FORBIDDEN for anyone but the instance admin, NOT_FOUND
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
  if (!workspace) throw new AppError('NOT_FOUND', 'There is no such workspace.')
  const events = await prisma().auditEvent.findMany({
    where: { workspaceId: workspace.id },
    omit: { userAgent: true, ip: true },
    orderBy: { id: 'desc' },
    take: few,
  })
  const { _count: counts, clients: apps, ...rest } = workspace
  return { ...rest, counts, apps, abandoned: await heirsOf(workspace.id), events: await nameEvents(events) }
}

/** Of a workspace that has no admin who can sign in, the first of its members who can; undefined of any other. */
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
 * One page of the members of a workspace, whose accounts are the oldest first.
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export async function listWorkspaceMembers(actor: Actor, workspaceId: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, orderBy, take } = keysetQuery(page)
  const rows = await prisma().workspaceMember.findMany({
    where: { workspaceId, userId: bounds },
    select: { role: true, createdAt: true, user: { select: shownPerson } },
    orderBy: { userId: orderBy.id },
    take,
  })
  return cutPage(
    page,
    rows.map(({ user, role, createdAt }) => ({ ...user, role, joinedAt: createdAt })),
  )
}

const input = z.object({ email: emailAddress })

/** Admins of a workspace who can sign in: while there is one, the workspace is theirs, and no instance admin's to give. */
const adminsWhoCan = (workspaceId: string) => ({
  workspaceId,
  role: 'ADMIN' as const,
  user: { suspendedAt: null },
})

/**
 * Makes somebody an admin of an abandoned workspace: one whose admins are all suspended or gone. One of its members who can sign
 * in, where there are any; somebody else only where there are none. Never the instance admin themselves, who would get to what is in it by their
 * own word. It is in the workspace's audit log, and the new admin is told.
 * See ADR 0041.
 * @param values `email`
 * @throws AppError FORBIDDEN for anyone but the instance admin, NOT_FOUND, CONFLICT (it has an admin, or oneself), BAD_USER_INPUT on `email`
 */
export async function giveWorkspace(actor: Actor, id: string, values: unknown): Promise<void> {
  authorizeInstance(actor)
  const { email } = parseInput(input, values)
  const to = await prisma().$transaction(async (tx) => {
    await holdInstance(tx, actor)
    // Of two instance admins the second finds that it has an admin.
    const [workspace] = isId(id)
      ? await tx.$queryRaw<{ id: string }[]>`SELECT id FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`
      : []
    if (!workspace) throw new AppError('NOT_FOUND', 'There is no such workspace.')
    if ((await tx.workspaceMember.count({ where: adminsWhoCan(id) })) > 0) {
      throw new AppError('CONFLICT', 'This workspace has an admin who can sign in. Ask that admin.')
    }
    const { id: userId, role } = await findHeir(tx, id, email)
    if (userId === actor.userId) throw new AppError('CONFLICT', 'You cannot assign this role to yourself.')
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
    person: to,
  })
}

/** Whom a workspace may be given to, with the role they have there. */
async function findHeir(tx: Db, workspaceId: string, email: string) {
  const person = await tx.user.findUnique({
    where: { email, suspendedAt: null },
    select: {
      id: true,
      emailVerifiedAt: true,
      workspaceMemberships: { where: { workspaceId }, select: { role: true } },
    },
  })
  if (!person) throw badInput('email', 'No active user has this email address.')
  const role = person.workspaceMemberships[0]?.role
  if (role) return { id: person.id, role }
  if ((await tx.workspaceMember.count({ where: { workspaceId, user: { suspendedAt: null } } })) > 0) {
    throw badInput('email', 'Choose a member of the workspace who can sign in.')
  }
  if (!person.emailVerifiedAt)
    throw badInput('email', 'This email address was never confirmed, so anyone could have signed up with it.')
  return { id: person.id, role }
}
