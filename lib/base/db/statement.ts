import type { QueryResultRow } from 'pg'
import { noteStatement } from './named-statements'
import { pool, tokenPool } from './pool'
import { kindOfStatement } from './replicas/kind-of-statement'
import { replicaNow } from './replicas/read-scope'
import { runNamed } from './run-named'

/**
 * A named prepared statement on the shared pool, for the few queries behind every token or GraphQL request. One that only reads
 * may be answered by a replica, within `readFromReplicas`.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param text SQL with $1, $2, ...
 * @returns a function from the values to the rows
 */
export function statement<Row extends QueryResultRow, Values extends unknown[]>(name: string, text: string) {
  noteStatement(name, text)
  const isRead = kindOfStatement(text) === 'read'
  return async (...values: Values): Promise<Row[]> => {
    const replica = isRead ? replicaNow() : undefined
    const rows = replica && (await replica.read<Row>(name, text, values))
    return rows ?? runNamed<Row>(pool(), name, text, values)
  }
}

/** The same for what every token request asks or writes, over the connections that are kept for it. */
export function tokenStatement<Row extends QueryResultRow, Values extends unknown[]>(
  name: string,
  text: string,
) {
  noteStatement(name, text)
  return (...values: Values): Promise<Row[]> => runNamed<Row>(tokenPool(), name, text, values)
}
