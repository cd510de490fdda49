import type pg from 'pg'
import { distributedTables } from './table-layout'

/** What a database says of itself that decides whether it can be distributed. */
type Facts = {
  extension: boolean
  walLevel: string
  /** Which libraries may decode the log; null where this PostgreSQL asks nobody. */
  decoders: string | null
}

/**
 * Whether tables can be distributed here.
 * @throws Error with one sentence that says what is to be done first
 */
export async function checkCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Facts>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS extension, current_setting('wal_level') AS "walLevel",
            current_setting('output_plugin_libraries', true) AS decoders`,
  )
  const facts = rows[0] as Facts
  if (!facts.extension) {
    throw new Error(
      'This database has no Citus: install it on every node, then CREATE EXTENSION citus in each.',
    )
  }
  const { rows: nodes } = await client.query<{ coordinator: number; workers: number }>(
    `SELECT count(*) FILTER (WHERE groupid = 0)::int AS coordinator,
            count(*) FILTER (WHERE groupid <> 0 AND isactive AND shouldhaveshards)::int AS workers
       FROM pg_dist_node WHERE noderole = 'primary'`,
  )
  if (!nodes[0]?.coordinator) {
    throw new Error(
      "The coordinator does not know its own address: SELECT citus_set_coordinator_host('<name>', <port>).",
    )
  }
  if (nodes[0].workers === 0) {
    throw new Error("There is no worker: SELECT citus_add_node('<name>', <port>) for each.")
  }
  if (!(await holdsRows(client))) return
  if (facts.walLevel !== 'logical') {
    throw new Error(
      `wal_level is ${facts.walLevel}, and copying a table while it is written to takes logical, on every node.`,
    )
  }
  if (facts.decoders !== null && !/(^|[\s,"])citus([\s,"]|$)/.test(facts.decoders)) {
    throw new Error(
      `output_plugin_libraries is "${facts.decoders}": add citus to it on every node, and reload the configuration.`,
    )
  }
}

/** Whether there is anything to copy into shards. */
async function holdsRows(client: pg.Client): Promise<boolean> {
  for (const { table } of distributedTables) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`)
    if (rowCount === 1) return true
  }
  return false
}
