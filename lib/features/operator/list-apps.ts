import { cutPage } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import type { ClientSource } from '@/lib/generated/prisma/enums'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { readAppCursor, writeAppCursor } from './app-cursor'
import { matchText } from './match-text'

export type AppFilter = {
  /** Part of a name or client id. */
  search: string
  source?: ClientSource | undefined
  /** Only apps that are disabled, or only verified ones, or only those that wait for an operator. */
  state?: 'disabled' | 'verified' | 'waiting' | undefined
}

const size = 25

const stateOf = {
  disabled: { disabledAt: { not: null } },
  verified: { verifiedAt: { not: null } },
  waiting: { awaitingApproval: true, disabledAt: null },
}

/**
 * One page of the instance's OAuth apps, the newest first, self-registered ones included.
 * @param at a cursor that an earlier page gave, and the side of it to read; what is no cursor is the first page
 * @returns the apps, the cursors of the pages beside this one where there are any, and a way to count those on all pages
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listAllApps(
  actor: Actor,
  { search, source, state }: AppFilter,
  at: { after?: string | undefined; before?: string | undefined } = {},
) {
  authorizeInstance(actor)
  const from = readAppCursor(at.before ?? at.after ?? '')
  const backward = Boolean(from && at.before)
  const like = matchText(search)
  const side = backward ? 'gt' : 'lt'
  const matching = {
    source,
    ...(state ? stateOf[state] : {}),
    ...(like ? { OR: [{ name: like }, { id: like }] } : {}),
  }
  const bounds = from
    ? {
        OR: [
          { createdAt: { [side]: from.createdAt } },
          { createdAt: from.createdAt, id: { [side]: from.id } },
        ],
      }
    : {}
  const read = await prisma().oAuthClient.findMany({
    where: { AND: [matching, bounds] },
    select: {
      id: true,
      name: true,
      source: true,
      type: true,
      logoUrl: true,
      logoDarkUrl: true,
      verifiedAt: true,
      disabledAt: true,
      awaitingApproval: true,
      createdAt: true,
      workspace: { select: { id: true, name: true } },
      _count: { select: { authorizations: true } },
    },
    orderBy: backward ? [{ createdAt: 'asc' }, { id: 'asc' }] : [{ createdAt: 'desc' }, { id: 'desc' }],
    take: size + 1,
  })
  const [after, before] = backward ? [null, at.before ?? null] : [from ? (at.after ?? null) : null, null]
  const { rows, ...sides } = cutPage({ limit: size, backward, after, before }, read)
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    apps: rows.map(({ _count, ...app }) => ({ ...app, people: _count.authorizations })),
    before: sides.hasPreviousPage && first ? writeAppCursor(first) : undefined,
    after: sides.hasNextPage && last ? writeAppCursor(last) : undefined,
    count: () => prisma().oAuthClient.count({ where: matching }),
  }
}
