import { cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { nameEvents } from '@/lib/features/audit/name-events'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { adminsWhoCan } from './give-workspace'

/** As many of its apps and events as fit beside its members; lists of their own have the rest. */
const few = 10

const shownPerson = { id: true, name: true, email: true, avatarUrl: true, suspendedAt: true } as const

/**
 * A workspace as the operator sees it: what it holds, whether it is abandoned, and the latest of its apps and of what happened in it.
 * @throws AppError FORBIDDEN for anyone but the operator, NOT_FOUND
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
 * @throws AppError FORBIDDEN for anyone but the operator
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
