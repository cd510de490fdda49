import type pg from 'pg'
import { remember } from '@/lib/base/process/remember'
import { connectionSettings, silenceMs } from './connection-settings'
import { noteStatement } from './named-statements'
import { sharedConnections, tokenPool } from './pool'
import { PrimaryClient } from './primary-client'
import { replicaNow } from './replicas/read-scope'
import { runNamed } from './run-named'
import { SharedConnections } from './shared-connections'
import { watchStatements } from './watch-statements'

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
 * leave these to it. Within `readFromReplicas` it goes to a replica, and once
 * more to the primary if nothing was found: it may have been written a moment ago.
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
  return async (...values: Values): Promise<Row[]> => {
    const replica = replicaNow()
    const found = replica && (await replica.readByKey<Row>(name, text, values))
    if (found && found.length > 0) return found
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
