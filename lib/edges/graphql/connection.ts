import type { ObjectRef } from '@pothos/core'
import type { Placed } from '@/lib/base/db/lists'
import {
  type CountedSlice,
  cursorOf,
  defaultPageSize,
  maxPageSize,
  type Page,
  type Slice,
} from '@/lib/base/db/paging'
import { isId } from '@/lib/base/db/prisma'
import { badInput } from '@/lib/base/errors/app-error'
import { type Feed, Following } from '@/lib/base/live/follow'
import type { Actor } from '@/lib/policy/actor'
import { builder, type Types } from './builder'
import { defineLoader, definePageLoader, type GraphQLContext } from './context'

const PageInfo = builder
  .objectRef<{
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }>('PageInfo')
  .implement({
    description: 'Where a page lies in its list, as in the Relay cursor connections specification.',
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follows after this page.' }),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
        description: 'Whether more comes before this page.',
      }),
      startCursor: t.exposeString('startCursor', {
        nullable: true,
        description: 'The cursor of the first row; null on an empty page.',
      }),
      endCursor: t.exposeString('endCursor', {
        nullable: true,
        description: 'The cursor of the last row, to ask for what follows; null on an empty page.',
      }),
    }),
  })

/**
 * The connection and edge types of a list. See ADR 0016.
 * @param noun as in `Project`, for `ProjectConnection` and `ProjectEdge`
 * @param node the type of a row, which is ordered by its `id`, or has a cursor with it where it was asked for in another order
 * @param cursor of a row, where the list is always ordered by something else
 */
export function defineConnection<Row extends { id: string }>(
  noun: string,
  node: ObjectRef<Types, Row>,
  cursor = (row: Row & Placed) => row.cursor ?? cursorOf(row.id),
) {
  const Edge = builder.objectRef<Row>(`${noun}Edge`).implement({
    description: `One row of a list, with its place in it.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'Marks the place of this row, for `after` and `before`.',
        resolve: cursor,
      }),
      node: t.field({ type: node, description: 'The row itself.', resolve: (row) => row as never }),
    }),
  })
  return builder.objectRef<CountedSlice<Row>>(`${noun}Connection`).implement({
    description: `A page of a list, as in the Relay cursor connections specification.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The rows with their cursors.',
        resolve: (page) => page.rows,
      }),
      nodes: t.field({
        type: [node],
        description: 'The rows alone.',
        resolve: (page) => page.rows as never,
      }),
      totalCount: t.int({
        nullable: true,
        description: 'How many rows the whole list has; counted when it is asked for.',
        resolve: (page) => page.count(),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where this page lies in the list.',
        resolve: ({ rows, hasNextPage, hasPreviousPage }) => ({
          hasNextPage,
          hasPreviousPage,
          startCursor: rows[0] ? cursor(rows[0]) : null,
          endCursor: rows.length > 0 ? cursor(rows.at(-1) as Row) : null,
        }),
      }),
    }),
  })
}

/** The arguments of every connection. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `At most this many from the start: 1 to ${maxPageSize}, ${defaultPageSize} unless given.`,
  }),
  after: t.string({ description: 'Only what follows this cursor.' }),
  last: t.int({
    description: `At most this many from the end: 1 to ${maxPageSize}. Not together with first.`,
  }),
  before: t.string({ description: 'Only what comes before this cursor.' }),
}))

/** What a mutation answers that makes a secret: the thing it belongs to, and the secret, which is never to be had again. */
export type WithSecret<Row> = { thing: Row; secret: string | null | undefined }

/**
 * The payload type of a mutation that makes a secret. A text alone could neither grow nor say which record to revoke later.
 * See ADR 0016.
 * @param name as in `ProjectTokenCreatePayload`
 * @param field the thing: its name in the payload, its type and what it is
 * @param secret what it is, and when it is null
 */
export function defineSecretPayload<Row>(
  name: string,
  field: { name: string; type: ObjectRef<Types, Row>; description: string },
  secret: string,
) {
  return builder.objectRef<WithSecret<Row>>(name).implement({
    description: 'What was made, and its secret, this once.',
    fields: (t) => ({
      [field.name]: t.field({
        type: field.type,
        description: field.description,
        resolve: ({ thing }) => thing as never,
      }),
      secret: t.exposeString('secret', { nullable: true, description: secret }),
    }),
  })
}

type Each<Row> = {
  pages: (parents: readonly string[], page: Page, most: number) => Promise<Slice<Row>[]>
  counts: (parents: readonly string[]) => Promise<number[]>
}
type Require = (actor: Actor, ids: readonly string[]) => Promise<readonly (unknown | Error)[]>

/**
 * A connection inside of rows: those that ask for the same page are decided together and read together.
 * @param list as `pagesByParent` makes it
 * @param require decides for each row whether the caller may read its list; unless given, that is decided already
 */
export function defineListIn<Row>(list: Each<Row>, require?: Require) {
  const allowed = async <Value>(
    actor: Actor,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<Value[]>,
  ): Promise<(Value | Error)[]> => {
    if (!require) return read(ids)
    const decided = await require(actor, ids)
    const open = ids.filter((_, index) => !(decided[index] instanceof Error))
    const values = open.length === 0 ? [] : await read(open)
    return ids.map((id, index) => {
      const refused = decided[index]
      return refused instanceof Error ? refused : (values[open.indexOf(id)] as Value)
    })
  }
  const pages = definePageLoader<Row>((actor, ids, page, most) =>
    allowed(actor, ids, (open) => list.pages(open, page, most)),
  )
  const counts = defineLoader<number>((actor, ids) => allowed(actor, ids, list.counts))
  return async (context: GraphQLContext, id: string, page: Page): Promise<CountedSlice<Row>> => ({
    ...(await pages(context, page).load(id)),
    count: () => counts(context).load(id),
  })
}

/**
 * The `subscribe` of a field: what a feed brings, for as long as the token is worth something and the rights are there.
 * @param after the id of the last row that the caller has, to go on where a stream broke off
 * @throws AppError BAD_USER_INPUT for an `after` that is no id, and what keeps the caller from reading the feed
 */
export async function followAs<Row extends { id: string }>(
  { actor, live }: GraphQLContext,
  feed: Feed<Actor, Row>,
  after?: string | null,
): Promise<AsyncIterable<Row>> {
  if (after && !isId(after)) throw badInput('after', 'This ID does not belong to this list.')
  if (!live) throw new Error('a subscription was executed without a stream')
  const following = await Following.begin(feed, actor, after)
  return following.rows(async () => (await live.caller()).actor, live.ended)
}
