import { keysetQuery, type Page, type PageArgs, parsePage } from '@/lib/base/db/keyset'
import { parseTextPage } from '@/lib/base/db/page-of-all'
import { type Placed, placedCursor, readPlaced } from '@/lib/base/db/places'
import type { Prisma } from '@/lib/generated/prisma/client'

/** A page of tokens, as the caller asks for it: those made first in front, or those that end first, and last those that never end. */
export type TokenPage = PageArgs & { orderBy?: 'CREATED' | 'EXPIRES' | null }

type Token = { id: string; expiresAt: Date | null }

type Window = {
  page: Page
  bounds: Prisma.ApiTokenWhereInput
  /** `orderBy` and `take` of what is read. */
  order: { orderBy: Prisma.ApiTokenOrderByWithRelationInput[]; take: number }
  /** Gives rows their cursors, where those are not their ids. */
  place: <Row extends Token>(rows: Row[]) => (Row & Placed)[]
}

/** The page as Prisma reads it. @throws AppError BAD_USER_INPUT naming the argument */
export function tokenWindow({ orderBy, ...args }: TokenPage): Window {
  if (orderBy !== 'EXPIRES') {
    const page = parsePage(args)
    const { bounds, orderBy: byId, take } = keysetQuery(page)
    return { page, bounds: { id: bounds }, order: { orderBy: [byId], take }, place: (rows) => rows }
  }
  const page = parseTextPage(args)
  const after = readPlaced('after', page.after, isEnd)
  const before = readPlaced('before', page.before, isEnd)
  const sort = page.backward ? 'desc' : 'asc'
  return {
    page,
    bounds: { AND: [after ? endsAfter(after) : {}, before ? endsBefore(before) : {}] },
    order: {
      orderBy: [{ expiresAt: { sort, nulls: page.backward ? 'first' : 'last' } }, { id: sort }],
      take: page.limit + 1,
    },
    place: (rows) =>
      rows.map((row) => ({ ...row, cursor: placedCursor(row.id, row.expiresAt?.toISOString() ?? '') })),
  }
}

type Place = { id: string; by: string }

/** A moment as cursors have it, or nothing for a token that never ends. */
const isEnd = (by: string) =>
  by === '' || (!Number.isNaN(Date.parse(by)) && new Date(by).toISOString() === by)

const endsAfter = ({ id, by }: Place): Prisma.ApiTokenWhereInput =>
  by === ''
    ? { expiresAt: null, id: { gt: id } }
    : {
        OR: [
          { expiresAt: { gt: new Date(by) } },
          { expiresAt: new Date(by), id: { gt: id } },
          { expiresAt: null },
        ],
      }

const endsBefore = ({ id, by }: Place): Prisma.ApiTokenWhereInput =>
  by === ''
    ? { OR: [{ expiresAt: { not: null } }, { expiresAt: null, id: { lt: id } }] }
    : { OR: [{ expiresAt: { lt: new Date(by) } }, { expiresAt: new Date(by), id: { lt: id } }] }
