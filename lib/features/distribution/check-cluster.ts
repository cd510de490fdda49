import type pg from 'pg'
import { distributedTables } from './table-layout'

/** What a database says of itself that decides whether it can be distributed. */
export type Facts = {
  extension: boolean
  /** Whether the coordinator knows its own address. */
  coordinator: boolean
  /** How many workers may take shards. */
  workers: number
  /** Whether there is anything to copy into shards. */
  rows: boolean
  walLevel: string
  /** Which libraries may decode the log; null where this PostgreSQL asks nobody, or does not tell this account. */
  decoders: string | null
}

/**
 * Whether tables can be distributed here.
 * @throws Error with one sentence that says what is to be done first
 */
export async function checkCluster(client: pg.Client): Promise<void> {
  const obstacle = obstacleOf(await readFacts(client))
  if (obstacle) throw new Error(obstacle)
}

/** What is to be done first, in one sentence; undefined where nothing is. */
export function obstacleOf(facts: Facts): string | undefined {
  if (!facts.extension) {
    return 'This database has no Citus: install it on every node, then CREATE EXTENSION citus in each.'
  }
  if (!facts.coordinator) {
    return "The coordinator does not know its own address: SELECT citus_set_coordinator_host('<name>', <port>)."
  }
  if (facts.workers === 0) {
    return "There is no worker: SELECT citus_add_node('<name>', <port>) for each."
  }
  if (!facts.rows) return
  if (facts.walLevel !== 'logical') {
    return `wal_level is ${facts.walLevel}, and copying a table while it is written to takes logical, on every node.`
  }
  if (facts.decoders !== null && !/(^|[\s,"])citus([\s,"]|$)/.test(facts.decoders)) {
    return `output_plugin_libraries is "${facts.decoders}": add citus to it on every node, and reload the configuration.`
  }
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Pick<Facts, 'extension' | 'walLevel' | 'decoders'>>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS extension, current_setting('wal_level') AS "walLevel",
            (SELECT setting FROM pg_settings WHERE name = 'output_plugin_libraries') AS decoders`,
  )
  const own = rows[0] as Pick<Facts, 'extension' | 'walLevel' | 'decoders'>
  if (!own.extension) return { ...own, coordinator: false, workers: 0, rows: false }
  const { rows: nodes } = await client.query<{ coordinator: boolean; workers: number }>(
    `SELECT count(*) FILTER (WHERE groupid = 0) > 0 AS coordinator,
            count(*) FILTER (WHERE groupid <> 0 AND isactive AND shouldhaveshards)::int AS workers
       FROM pg_dist_node WHERE noderole = 'primary'`,
  )
  return {
    ...own,
    ...(nodes[0] as { coordinator: boolean; workers: number }),
    rows: await holdsRows(client),
  }
}

async function holdsRows(client: pg.Client): Promise<boolean> {
  for (const { table } of distributedTables) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`)
    if (rowCount === 1) return true
  }
  return false
}
