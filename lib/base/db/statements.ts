import type pg from 'pg'
import type { QueryResultRow } from 'pg'
import { remember } from '@/lib/base/process/remember'
import { noteStatement, runNamed } from './named-statements'
import { pool, sharedConnections, tokenPool } from './pool'
import { connectionSettings, PrimaryClient, silenceMs } from './primary'
import { SharedConnections } from './shared-connections'
import { watchStatements } from './watch'

/**
 * A named prepared statement on the shared pool, for the few queries behind every token or GraphQL request.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param text SQL with $1, $2, ...
 * @returns a function from the values to the rows
 */
export function statement<Row extends QueryResultRow, Values extends unknown[]>(name: string, text: string) {
  noteStatement(name, text)
  return (...values: Values): Promise<Row[]> => runNamed<Row>(pool(), name, text, values)
}

/** The same for what every token request asks or writes, over the connections that are kept for it. */
export function tokenStatement<Row extends QueryResultRow, Values extends unknown[]>(
  name: string,
  text: string,
) {
  noteStatement(name, text)
  return (...values: Values): Promise<Row[]> => runNamed<Row>(tokenPool(), name, text, values)
}

const connections = () =>
  remember('pg-shared-reads', () => new SharedConnections(sharedConnections(), makeShared))

/**
 * A named prepared statement that reads a few rows by key, over a connection that other requests read over at the same
 * time: it is sent without waiting for the answers to those before it. Taking a connection from the pool and giving it
 * back costs a request more time than sending the statement.
 *
 * Not for a read that may be slow, since whatever stands behind it waits for it. Never for a write: it would wait for
 * locks, and for the disk.
 * Where no connection is shared (pool.ts) it goes over those kept for token requests, which ask little else: pages and sign-ins
 * leave these to it.
 * See decision 055.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param text SQL with $1, $2, ...
 * @returns a function from the values to the rows; where a connection is lost, the reads under way on it fail with what
 *   the driver throws, and the next opens another
 */
export function readByKey<Row extends pg.QueryResultRow, Values extends unknown[]>(
  name: string,
  text: string,
) {
  noteStatement(name, text)
  return (...values: Values): Promise<Row[]> => {
    const shared = connections()
    return shared.count > 0
      ? shared.run<Row>(name, text, values)
      : runNamed<Row>(tokenPool(), name, text, values)
  }
}

function makeShared(): pg.Client {
  const client = new PrimaryClient({
    ...connectionSettings(),
    pipeline: true,
    // One that has gone silent would hold up everybody: the driver gives it up, and all that waits behind, after this time.
    query_timeout: silenceMs(),
  })
  watchStatements(client)
  return client
}

/** Closes the connections, once what is under way has been answered. */
export const endSharedReads = (): Promise<void> => connections().end()

/**
 * A read by key (shared-reads.ts) whose rows travel as one JSON array each. The driver spends more time on each further
 * column of an answer than PostgreSQL on writing all of them as one, which counts where every request reads a wide row.
 * Values are what JSON makes of them: arrays and objects arrive as such, times as texts, and bytes must be encoded.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @param columns the SQL of each column, by the name it gets
 * @param rest the statement from its FROM on
 * @returns a function from the values to the rows
 */
export function packedStatement<Row extends object, Values extends unknown[]>(
  name: string,
  columns: Record<keyof Row & string, string>,
  rest: string,
): (...values: Values) => Promise<Row[]> {
  const names = Object.keys(columns)
  const run = readByKey<{ row: unknown[] }, Values>(
    name,
    `SELECT json_build_array(${Object.values(columns).join(', ')}) AS row ${rest}`,
  )
  const unpack = ({ row }: { row: unknown[] }) => {
    const unpacked: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) unpacked[names[i] as string] = row[i]
    return unpacked as Row
  }
  return (...values) => run(...values).then((rows) => rows.map(unpack))
}

/** Closes every connection of the process to the database, each once what is under way has been answered. */
export const endConnections = async (): Promise<void> => {
  const pools = [...new Set([pool(), tokenPool()])].map((each) => each.end())
  await Promise.all([...pools, endSharedReads()])
}
