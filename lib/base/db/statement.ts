import type { QueryResultRow } from 'pg'
import { pool } from './pool'
import { runNamed } from './run-named'

/**
 * A named prepared statement on the shared pool, for the few queries behind every token or GraphQL request.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param text SQL with $1, $2, ...
 * @returns a function from the values to the rows
 */
export const statement =
  <Row extends QueryResultRow, Values extends unknown[]>(name: string, text: string) =>
  (...values: Values): Promise<Row[]> =>
    runNamed<Row>(pool(), name, text, values)
