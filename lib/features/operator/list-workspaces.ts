import { cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { matchText } from './match-text'

/**
 * One page of all workspaces, the newest first.
 * @param search part of a name or slug
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listAllWorkspaces(actor: Actor, search: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const like = matchText(search)
  const matching = like ? { OR: [{ name: like }, { slug: like }] } : {}
  const rows = await prisma().workspace.findMany({
    where: { ...matching, id: bounds },
    select: {
      id: true,
      name: true,
      slug: true,
      requireTwoFactor: true,
      createdAt: true,
      _count: { select: { members: true, projects: true, clients: true } },
    },
    ...window,
  })
  return { ...cutPage(page, rows), count: () => prisma().workspace.count({ where: matching }) }
}
