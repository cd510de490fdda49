import { inOrderOf } from './in-order-of'
import { cutPage, highestId, lowestId, type Page, type Slice } from './keyset'
import { statement } from './statement'

type PageValues = [parents: readonly string[], after: string, before: string, limit: number, most: number]

/**
 * The same page of each of several lists, such as the webhooks of workspaces: two statements however many there are, one
 * that walks along the index of each list, and one that reads the rows.
 * @param name unique in the product
 * @param table of the rows, whose ids are UUIDv7, and `parent`, the column that says whose they are
 * @param order of the lists: `desc` has the latest in front
 * @param read reads rows by their ids, in any order
 */
export function listEach<Row extends { id: string }>(
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
    /** @param most rows of all lists together @returns for each parent, in order, its page */
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
        // What was deleted in between the two statements is gone.
        cutPage(
          page,
          own.flatMap(({ id }) => rows.get(id) ?? []),
        ),
      )
    },
    /** @returns for each parent, in order, how many rows it has */
    async counts(parents: readonly string[]): Promise<number[]> {
      const counts = new Map((await countAll(parents)).map(({ parent: id, count }) => [id, count]))
      return parents.map((id) => counts.get(id) ?? 0)
    },
  }
}
