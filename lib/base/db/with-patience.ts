import type pg from 'pg'
import { connectionSettings, silenceMs } from './connection-settings'
import { PrimaryClient } from './primary-client'
import { tellLost } from './tell-lost'
import { watchConnection } from './watch-connection'
import { watchStatements } from './watch-statements'

/** So long may a statement take that reads a whole table, in seconds. */
const patience = 600

/**
 * Lends a connection of its own to a job that reads whole tables: what takes longer than a request may wait is its work
 * there, and no fault. It ends with the job.
 * @throws what the work throws, or what keeps the connection from being made
 */
export async function withPatience<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new PrimaryClient(connectionSettings(patience))
  // What is under way on it is refused as well.
  client.on('error', tellLost)
  await client.connect()
  watchConnection(client, silenceMs(patience))
  watchStatements(client)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
