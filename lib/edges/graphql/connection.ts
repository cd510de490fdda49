import type { ObjectRef } from '@pothos/core'
import { type CountedSlice, cursorOf, defaultPageSize, maxPageSize } from '@/lib/base/db/keyset'
import type { Placed } from '@/lib/base/db/places'
import { builder, type Types } from './builder'

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
 * The connection and edge types of a list. See decision 166.
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
