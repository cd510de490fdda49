import pg from 'pg'
import { remember } from '@/lib/base/process/remember'
import { noteStatement } from './named-statements'
import { connectionSettings, pool, sharedConnections, silenceMs } from './pool'
import { runNamed } from './run-named'
import { tellLost } from './tell-lost'
import { giveUpOthers, noteConnection } from './watch-connection'
import { watchStatements } from './watch-statements'

type Shared = { client: pg.Client; opening: Promise<void> | undefined; forget: () => void }

const connections = () =>
  remember('pg-shared-reads', () => new Array<Shared | undefined>(sharedConnections()).fill(undefined))

let turn = 0

/**
 * A named prepared statement that reads a few rows by key, over a connection that other requests read over at the same
 * time: it is sent without waiting for the answers to those before it. Taking a connection from the pool and giving it
 * back costs a request more time than sending the statement.
 *
 * Not for a read that may be slow, since whatever stands behind it waits for it. Never for a write: it would wait for
 * locks, and for the disk.
 * Where no connection is shared (pool.ts) it goes over the pool.
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
    const { length } = connections()
    if (length === 0) return runNamed<Row>(pool(), name, text, values)
    turn = (turn + 1) % length
    const shared = connections()[turn] ?? open(turn)
    if (shared.opening) await shared.opening
    try {
      return await runNamed<Row>(shared.client, name, text, values)
    } catch (error) {
      if ((error as Error).message === tooLate) {
        shared.forget()
        giveUpOthers(shared.client, silenceMs())
      }
      throw error
    }
  }
}

/** How the driver says that `query_timeout` has passed. */
const tooLate = 'Query read timeout'

function open(place: number): Shared {
  const client = new pg.Client({
    ...connectionSettings(),
    pipeline: true,
    // One that has gone silent would hold up everybody: the driver gives it up, and all that waits behind, after this time.
    query_timeout: silenceMs(),
  })
  watchStatements(client)
  const forget = () => {
    if (connections()[place] === shared) connections()[place] = undefined
  }
  const opening = client.connect().then(
    () => {
      shared.opening = undefined
      noteConnection(client, () => true, forget)
    },
    (error) => {
      forget()
      throw error
    },
  )
  const shared: Shared = { client, opening, forget }
  client.on('end', forget)
  client.on('error', (error) => {
    forget()
    tellLost(error)
  })
  connections()[place] = shared
  return shared
}

/** Closes the connections, once what is under way has been answered. */
export async function endSharedReads(): Promise<void> {
  const opened = connections().filter((shared) => shared !== undefined)
  connections().fill(undefined)
  await Promise.all(
    opened.map(async ({ client, opening }) => {
      await opening?.catch(() => undefined)
      await client.end()
    }),
  )
}
