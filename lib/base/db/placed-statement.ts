import type { QueryResultRow } from 'pg'
import { cutPage, type Slice } from './keyset'
import type { TextPage } from './page-of-all'
import { statement } from './statement'

/**
 * A list that is read by page in an order of its own, such as by name: two named statements, one for each direction.
 * @param name of the statements, unique in the product
 * @param rows SQL of all rows, with $1, $2, ...; its column `place` is a text that no two rows share, and the order
 * @param values how many values it takes
 * @returns a function from a page and the values to the rows of that page
 */
export function placedStatement<Row extends QueryResultRow & { place: string }, Values extends unknown[]>(
  name: string,
  rows: string,
  values: Values['length'],
) {
  const [after, before, limit] = [1, 2, 3].map((more) => `$${values + more}`)
  // By bytes, whatever the database's language, so that two replicas of it agree on what comes next.
  const place = 'listed.place COLLATE "C"'
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
