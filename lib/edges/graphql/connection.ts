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
    description:
      'Information about a page of a list, as defined in the Relay cursor connections specification.',
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more items follow this page.' }),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
        description: 'Whether more items precede this page.',
      }),
      startCursor: t.exposeString('startCursor', {
        nullable: true,
        description: 'The cursor of the first item. Null if the page is empty.',
      }),
      endCursor: t.exposeString('endCursor', {
        nullable: true,
        description:
          'The cursor of the last item. Pass it as `after` to get the next page. Null if the page is empty.',
      }),
    }),
  })

/**
 * Defines the connection and edge types of a list. See ADR 0012.
 * @param noun the noun in the names of the types, such as `Project` for `ProjectConnection` and `ProjectEdge`
 * @param node the type of a row
 * @param cursor returns the cursor of a row. By default, this is the row's `cursor`, or a cursor for the
 *   row's `id` if the row has no `cursor`. Pass this function if the list is never ordered by `id`
 */
export function defineConnection<Row extends { id: string }>(
  noun: string,
  node: ObjectRef<Types, Row>,
  cursor = (row: Row & Placed) => row.cursor ?? cursorOf(row.id),
) {
  const Edge = builder.objectRef<Row>(`${noun}Edge`).implement({
    description: 'An item of a list and its cursor.',
    fields: (t) => ({
      cursor: t.string({
        description: 'The cursor of the item, for `after` and `before`.',
        resolve: cursor,
      }),
      node: t.field({ type: node, description: 'The item.', resolve: (row) => row as never }),
    }),
  })
  return builder.objectRef<CountedSlice<Row>>(`${noun}Connection`).implement({
    description: `A page of a list, as defined in the Relay cursor connections specification.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'The items on this page, with their cursors.',
        resolve: (page) => page.rows,
      }),
      nodes: t.field({
        type: [node],
        description: 'The items on this page, without cursors.',
        resolve: (page) => page.rows as never,
      }),
      totalCount: t.int({
        nullable: true,
        description: 'The total number of items in the list. Computed only if you request this field.',
        resolve: (page) => page.count(),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Information about this page.',
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

export const pageDescriptions = {
  first: `Returns the first _n_ items. Default: ${defaultPageSize}. Maximum: ${maxPageSize}.`,
  after: 'Returns only items after this cursor.',
  last: `Returns the last _n_ items. Maximum: ${maxPageSize}. Cannot be combined with \`first\`.`,
  before: 'Returns only items before this cursor.',
}

/** The page arguments of every connection except `search`. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ description: pageDescriptions.first }),
  after: t.string({ description: pageDescriptions.after }),
  last: t.int({ description: pageDescriptions.last }),
  before: t.string({ description: pageDescriptions.before }),
}))

/**
 * The result of a mutation that creates a secret: the record and the secret, which is returned only once. The
 * secret is null or undefined if the mutation created a record without a secret.
 */
export type WithSecret<Row> = { thing: Row; secret: string | null | undefined }

/**
 * Defines the payload type of a mutation that creates a secret. The payload contains the secret and its
 * record, such as the token or the webhook. See ADR 0012.
 * @param name the name of the type, such as `ProjectTokenCreatePayload`
 * @param field the record: its name in the payload, its type, and its description
 * @param secret the description of the secret. If the secret can be null, the description must state when it
 * is null
 * @param summary the description of the type. The function appends a sentence about the secret
 */
export function defineSecretPayload<Row>(
  name: string,
  field: { name: string; type: ObjectRef<Types, Row>; description: string },
  secret: string,
  summary: string,
) {
  return builder.objectRef<WithSecret<Row>>(name).implement({
    description: `${summary} The secret is returned only once.`,
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
 * Returns a function that reads a page of a connection for one parent: a row of another list. Parents that
 * request the same page are authorized and read together.
 * @param list the functions that read pages and counts, as returned by `pagesByParent`
 * @param require authorizes the parents, and returns an Error for each parent whose connection the caller
 *   cannot access. Reading that connection fails with the Error. If `require` is omitted, access is not
 *   checked
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
 * Subscribes to a feed and returns its rows as they appear. The iteration ends when the stream ends. It
 * throws an error if the token is no longer valid or the caller loses access.
 * @param after the ID of the last row that the caller received, to resume an interrupted stream. By default,
 *   the subscription starts with the next new row
 * @throws AppError BAD_USER_INPUT if `after` is not an ID, an error of the feed if the caller cannot read the
 *   feed, or an Error if the request has no stream
 */
export async function followAs<Row extends { id: string }>(
  { actor, live }: GraphQLContext,
  feed: Feed<Actor, Row>,
  after?: string | null,
): Promise<AsyncIterable<Row>> {
  if (after && !isId(after))
    throw badInput('after', 'This is not a valid ID. Pass the ID of the last item that you received.')
  if (!live) throw new Error('a subscription was executed without a stream')
  const following = await Following.begin(feed, actor, after)
  return following.rows(async () => (await live.caller()).actor, live.ended)
}
