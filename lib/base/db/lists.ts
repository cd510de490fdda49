import type { QueryResultRow } from 'pg'
import { badInput } from '@/lib/base/errors/app-error'
import {
  cursorOfPlace,
  cutPage,
  highestId,
  inOrderOf,
  lowestId,
  type Page,
  type Slice,
  type TextPage,
} from './paging'
import { statement } from './statements'

/**
 * The cursor of a row in a list that is not ordered by ID. Undefined in a list ordered by ID, in which the
 * row's ID determines the cursor.
 */
export type Placed = { cursor?: string }

const idLength = 36
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns a row's cursor in a list that is ordered by a value that is not unique. The cursor contains the
 * value and the row's ID.
 */
export const placedCursor = (id: string, by: string): string => cursorOfPlace(`${id}${by}`)

/**
 * Splits a cursor from `placedCursor` into the row's ID and the value that the list is ordered by.
 * @param argument the name of the argument that contains the cursor
 * @param place the cursor, decoded by `parseTextPage`
 * @param isBy returns whether a text is a valid value of the column that the list is ordered by; by default,
 * every text is
 * @returns undefined if `place` is null
 * @throws AppError BAD_USER_INPUT that names the argument if the cursor contains no valid ID or value
 */
export function readPlaced(
  argument: 'after' | 'before',
  place: string | null,
  isBy: (by: string) => boolean = () => true,
): { id: string; by: string } | undefined {
  if (place === null) return undefined
  const [id, by] = [place.slice(0, idLength), place.slice(idLength)]
  if (!isUuid.test(id) || !isBy(by))
    throw badInput(
      argument,
      'This cursor doesn’t belong to this list. Use a cursor that the same list returned.',
    )
  return { id, by }
}

/**
 * Defines a list that is read page by page in a custom order, such as by name. The list has one statement for
 * each direction.
 * @param name the name of the forward statement, unique in the codebase; the backward statement has the
 * suffix `-backward`
 * @param rows SQL that selects all rows, with $1, $2, ... for the values; its column `place` is a unique text
 * that determines the order
 * @param values the number of values in the SQL
 * @param collation `natural_order` for an order by name
 * @returns a function that takes a page and the values, and returns the rows of that page and whether more
 * rows exist before and after them
 */
export function pageStatement<Row extends QueryResultRow & { place: string }, Values extends unknown[]>(
  name: string,
  rows: string,
  values: Values['length'],
  // The default sorts by bytes, so that the order does not depend on the database's locale.
  collation: '"C"' | 'natural_order' = '"C"',
) {
  const [after, before, limit] = [1, 2, 3].map((more) => `$${values + more}`)
  const place = `listed.place COLLATE ${collation}`
  const text = (order: 'ASC' | 'DESC') =>
    `SELECT * FROM (${rows}) listed
      WHERE (${after}::text IS NULL OR ${place} > ${after}) AND (${before}::text IS NULL OR ${place} < ${before})
      ORDER BY ${place} ${order} LIMIT ${limit}`
  type All = [...Values, after: string | null, before: string | null, limit: number]
  const forward = statement<Row, All>(name, text('ASC'))
  const backward = statement<Row, All>(`${name}-backward`, text('DESC'))
  return async (page: TextPage, ...given: Values): Promise<Slice<Row>> => {
    const read = page.backward ? backward : forward
    return cutPage(page, await read(...given, page.after, page.before, page.limit + 1))
  }
}

type PageValues = [parents: readonly string[], after: string, before: string, limit: number, most: number]

/**
 * Returns functions that read the same page of several lists, such as the webhooks of several workspaces, and
 * count the lists' rows. Reading takes two statements: the first reads the IDs from each list's index, and
 * the second reads the rows.
 * @param name a prefix for the names of the statements, unique in the codebase
 * @param table the table of the rows, which have UUIDv7 IDs
 * @param parent the column that contains the ID of a row's list, such as the workspace's ID
 * @param order the order of the lists by ID; `desc` starts with the latest row
 * @param read runs the second statement: returns the rows with these IDs, in any order
 */
export function pagesByParent<Row extends { id: string }>(
  name: string,
  { table, parent, order = 'asc' }: { table: string; parent: string; order?: 'asc' | 'desc' },
  read: (ids: string[]) => Promise<Row[]>,
) {
  const walk = (direction: 'ASC' | 'DESC') =>
    statement<{ id: string; parent: string }, PageValues>(
      `${name}-${direction.toLowerCase()}`,
      `SELECT found.id, asked.id AS parent
         FROM unnest($1::uuid[]) AS asked(id)
        CROSS JOIN LATERAL (
          SELECT one.id FROM ${table} one
           WHERE one.${parent} = asked.id AND one.id > $2 AND one.id < $3
           ORDER BY one.id ${direction} LIMIT $4) found
        ORDER BY found.id ${direction} LIMIT $5`,
    )
  const [up, down] = [walk('ASC'), walk('DESC')]
  const countAll = statement<{ parent: string; count: number }, [parents: readonly string[]]>(
    `${name}-count`,
    `SELECT asked.id AS parent, (SELECT count(*)::int FROM ${table} one WHERE one.${parent} = asked.id) AS count
       FROM unnest($1::uuid[]) AS asked(id)`,
  )
  return {
    /**
     * @param most the maximum number of rows in all lists together; further rows are omitted
     * @returns the page of each parent, in the order of `parents`
     */
    async pages(parents: readonly string[], page: Page, most: number): Promise<Slice<Row>[]> {
      const ascending = (order === 'asc') !== page.backward
      const [low, high] = order === 'asc' ? [page.after, page.before] : [page.before, page.after]
      const places = await (ascending ? up : down)(
        parents,
        low ?? lowestId,
        high ?? highestId,
        page.limit + 1,
        most,
      )
      const rows = new Map((await read(places.map(({ id }) => id))).map((row) => [row.id, row]))
      return inOrderOf(parents, places, (place) => place.parent).map((own) =>
        // Omit rows that were deleted between the two statements.
        cutPage(
          page,
          own.flatMap(({ id }) => rows.get(id) ?? []),
        ),
      )
    },
    /** @returns the number of rows of each parent, in the order of `parents` */
    async counts(parents: readonly string[]): Promise<number[]> {
      const counts = new Map((await countAll(parents)).map(({ parent: id, count }) => [id, count]))
      return parents.map((id) => counts.get(id) ?? 0)
    },
  }
}
