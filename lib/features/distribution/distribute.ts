import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { declareEnumsImmutable } from '@/lib/base/db/migrate'
import { databaseTarget, PrimaryClient } from '@/lib/base/db/primary'
import { foldUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { intoShards } from './into-shards'
import {
  commitFunction,
  distributedTables,
  droppedTriggers,
  type Place,
  referenceTables,
  tableLayout,
} from './table-layout'

/**
 * A function that is called with a message after each step, and with progress messages while a table is
 * copied.
 */
type Report = (line: string) => void

type Options = {
  /**
   * The URL of the coordinator's database. The connection must bypass any pooler, because it uses session
   * settings.
   */
  address: string
  /** The value of DATABASE_CA, the certificate authority for the coordinator's certificate. */
  ca?: string | undefined
  /** The number of shards for tables that are not distributed yet. */
  shards: number
  report: Report
}

/**
 * Applies the layout in table-layout.ts to a database with Citus. Skips completed steps, so a run can be
 * interrupted at any point and started again, even after an upgrade. Servers can keep running. Writes to a
 * reference table wait while the table is copied to all nodes. Writes to the token table, which has the most
 * rows, wait or are canceled only at the end of its copy (`create_distributed_table_concurrently`).
 * @throws Error with a message for the instance admin if the database cannot be distributed or another run is
 * in progress
 */
export async function distribute({ address, ca, shards, report }: Options): Promise<void> {
  const open = async () => {
    const opened = new PrimaryClient({
      application_name: 'latchkey-distribute',
      ...databaseTarget(address, ca),
    })
    // Without a listener, a lost connection would end the process. The listener can ignore the error, because
    // the current statement also fails.
    opened.on('error', () => undefined)
    await opened.connect()
    await opened.query(
      'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0',
    )
    return opened
  }
  const client = await open()
  try {
    await checkCluster(client)
    await beAlone(client)
    const placed = await readPlaces(client)
    // Hide the notices that Citus sends for each local table that it manages because of a foreign key to a
    // reference table.
    await client.query('SET client_min_messages = error')
    await declareEnumsImmutable(client)
    await oneShardAfterTheOther(client)
    await dropTriggers(client)
    await foldUsedTables(client)
    for (const table of referenceTables) {
      await step(report, `${table}: on every node`, placed.has(table), () =>
        client.query('SELECT create_reference_table($1)', [table]),
      )
    }
    for (const { table, by } of distributedTables) {
      await step(report, `${table}: in shards by ${by}`, placed.has(table), async () => {
        await endEarlierConnections(client)
        await intoShards({ client, open, table, by, shards, report })
      })
    }
    await step(report, `${commitFunction.name}: on every node`, await isSpread(client), () =>
      client.query('SELECT create_distributed_function($1::regprocedure, $2, colocate_with := $3)', [
        commitFunction.signature,
        commitFunction.by,
        commitFunction.beside,
      ]),
    )
  } finally {
    await client.end()
  }
}

/**
 * Takes the lock that only one run at a time can hold.
 * @throws Error if another run is in progress
 */
async function beAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('latchkey distribute')) AS alone`,
  )
  if (!rows[0]?.alone)
    throw new Error('Another command is already distributing the tables. Wait until it ends.')
}

async function step(
  report: Report,
  what: string,
  isDone: boolean,
  work: () => Promise<unknown>,
): Promise<void> {
  if (isDone) return report(`${what}: already done`)
  const since = performance.now()
  await work()
  report(`${what}: done in ${((performance.now() - since) / 1000).toFixed(1)} s`)
}

/**
 * Drops the `droppedTriggers` that still exist. Checks first whether a trigger exists, because after a table
 * is copied, Citus rejects even `DROP TRIGGER IF EXISTS`.
 */
async function dropTriggers(client: pg.Client): Promise<void> {
  for (const { table, trigger } of droppedTriggers) {
    const { rowCount } = await client.query(
      'SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2',
      [table, trigger],
    )
    if (rowCount === 1) await client.query(`DROP TRIGGER ${trigger} ON ${table}`)
  }
}

async function isSpread(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_catalog.pg_dist_object
      WHERE objid = $1::regprocedure AND distribution_argument_index IS NOT NULL`,
    [commitFunction.signature],
  )
  return rowCount === 1
}

/** The current placement of a table, as Citus reports it. */
type Lies = { table: string; place: string; by: string }

/**
 * Returns the names of the tables that already have the placement that the layout specifies. Omits tables
 * that Citus does not manage yet.
 * @throws Error with a message for the instance admin if a table is already distributed or replicated in a
 * different way, which only someone with database access can have done
 */
async function readPlaces(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<Lies>(
    `SELECT table_name::text AS table, citus_table_type AS place, distribution_column AS by FROM citus_tables
      WHERE table_name::text = ANY($1)`,
    [Object.keys(tableLayout)],
  )
  const placed = new Set<string>()
  for (const lies of rows) {
    const wanted = tableLayout[lies.table] as Place
    if (isAsWanted(lies, wanted)) placed.add(lies.table)
    else if (lies.place !== 'local') throw new Error(sentenceFor(lies, wanted))
  }
  return placed
}

const isAsWanted = ({ place, by }: Lies, wanted: Place): boolean =>
  typeof wanted === 'object' ? place === 'distributed' && by === wanted.by : place === wanted

function sentenceFor({ table, place, by }: Lies, wanted: Place): string {
  const is = place === 'reference' ? 'copied to every node' : `in shards by ${by}`
  const should =
    wanted === 'local'
      ? 'only on the coordinator'
      : wanted === 'reference'
        ? 'copied to every node'
        : `in shards by ${wanted.by}`
  return `${table} is already ${is} and should be ${should}. Run SELECT undistribute_table('${table}') first.`
}

/** The properties that determine whether a database can be distributed. */
export type Facts = {
  extension: boolean
  /** Whether the coordinator's own address is configured. */
  coordinator: boolean
  /** The number of active workers that can hold shards. */
  workers: number
  /** Whether a table that belongs in shards contains rows, even if the table is already distributed. */
  rows: boolean
  walLevel: string
  /**
   * The allowed logical decoding libraries. Null if this PostgreSQL release has no such setting or hides it
   * from this account.
   */
  decoders: string | null
}

/**
 * Requires that the database meets all requirements for the distribution.
 * @throws Error with the message of `obstacleOf`
 */
async function checkCluster(client: pg.Client): Promise<void> {
  const obstacle = obstacleOf(await readFacts(client))
  if (obstacle) throw new Error(obstacle)
}

/** Returns a message about the first missing requirement, or undefined if all requirements are met. */
export function obstacleOf(facts: Facts): string | undefined {
  if (!facts.extension) {
    return 'This database does not have Citus. Install Citus on every node, then run CREATE EXTENSION citus on each node.'
  }
  if (!facts.coordinator) {
    return "The coordinator’s own address is not configured. Run SELECT citus_set_coordinator_host('<name>', <port>)."
  }
  if (facts.workers === 0) {
    return "The cluster has no workers. Run SELECT citus_add_node('<name>', <port>) for each worker."
  }
  if (!facts.rows) return
  if (facts.walLevel !== 'logical') {
    return `wal_level is ${facts.walLevel}, but must be logical on every node to copy a table while it accepts writes.`
  }
  if (facts.decoders !== null && !/(^|[\s,"])citus([\s,"]|$)/.test(facts.decoders)) {
    return `output_plugin_libraries is "${facts.decoders}". Add citus to it on every node and reload the configuration.`
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

/**
 * Makes every new connection to this database modify shards sequentially. Some transactions delete tokens in
 * many shards and also write to reference tables, which Citus allows only in this mode.
 */
async function oneShardAfterTheOther(client: pg.Client): Promise<void> {
  await client.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO sequential', current_database());
  END $$`)
}

/**
 * Closes the servers' connections that were opened before this call, because they might not use the setting
 * from `oneShardAfterTheOther`. Servers open new connections for their next statements. A connection is
 * closed only when it is idle, so this function waits until transactions and long jobs end.
 */
async function endEarlierConnections(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp()::text AS now')
  for (;;) {
    const { rows: left } = await client.query<{ left: number }>(
      `SELECT count(*) FILTER (WHERE state <> 'idle' OR NOT pg_terminate_backend(pid))::int AS left
         FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND application_name = 'latchkey' AND backend_start < $1::timestamptz`,
      [rows[0]?.now],
    )
    if (left[0]?.left === 0) return
    await sleep(20)
  }
}
