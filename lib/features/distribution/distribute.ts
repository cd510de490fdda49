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

/** A step of the way, as it is told: before it begins, and when it is done. */
type Told = (line: string) => void

type Options = {
  /** The coordinator's database; past a pooler, since it takes settings of a session. */
  address: string
  /** DATABASE_CA: who vouches for its certificate. */
  ca?: string | undefined
  /** How many shards a table gets that is distributed now. */
  shards: number
  told: Told
}

/**
 * Gives a database with Citus the layout of table-layout.ts, or what is missing of it: what is done is found done, so it may
 * end at any point and be run again, also after an upgrade.
 *
 * The servers go on meanwhile. A table that becomes a reference table takes no writes while it is copied; of the tokens,
 * which are most of the rows, only the end of the copying waits for writes (`create_distributed_table_concurrently`).
 * @throws Error with one sentence where the database cannot be distributed
 */
export async function distribute({ address, ca, shards, told }: Options): Promise<void> {
  const open = async () => {
    const opened = new PrimaryClient({
      application_name: 'latchkey-distribute',
      ...databaseTarget(address, ca),
    })
    // The statement that was running rejects as well.
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
    // Local tables follow the reference tables they refer to by themselves; Citus has a notice for each.
    await client.query('SET client_min_messages = error')
    await declareEnumsImmutable(client)
    await oneShardAfterTheOther(client)
    await dropTriggers(client)
    await foldUsedTables(client)
    for (const table of referenceTables) {
      await step(told, `${table}: on every node`, placed.has(table), () =>
        client.query('SELECT create_reference_table($1)', [table]),
      )
    }
    for (const { table, by } of distributedTables) {
      await step(told, `${table}: in shards by ${by}`, placed.has(table), async () => {
        await endEarlierConnections(client)
        await intoShards({ client, open, table, by, shards, told })
      })
    }
    await step(told, `${commitFunction.name}: on every node`, await isSpread(client), () =>
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

/** @throws Error with one sentence where another one is under way */
async function beAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('latchkey distribute')) AS alone`,
  )
  if (!rows[0]?.alone)
    throw new Error('Another command is already distributing the tables. Wait until it ends.')
}

async function step(told: Told, what: string, isDone: boolean, work: () => Promise<unknown>): Promise<void> {
  if (isDone) return told(`${what}: so already`)
  const since = performance.now()
  await work()
  told(`${what}: done in ${((performance.now() - since) / 1000).toFixed(1)} s`)
}

/** Citus refuses the very word once a table is copied, so only those are named that are there. */
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

/** Where a table lies by now, as Citus says. */
type Lies = { table: string; place: string; by: string }

/**
 * Reads which tables lie as the layout has it.
 * @returns their names; those not yet touched are missing
 * @throws Error with one sentence where a table lies otherwise, which only its instance admin can want
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
      ? 'on the coordinator alone'
      : wanted === 'reference'
        ? 'copied to every node'
        : `in shards by ${wanted.by}`
  return `${table} is ${is} already and should be ${should}: SELECT undistribute_table('${table}') first.`
}

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
async function checkCluster(client: pg.Client): Promise<void> {
  const obstacle = obstacleOf(await readFacts(client))
  if (obstacle) throw new Error(obstacle)
}

/** What is to be done first, in one sentence; undefined where nothing is. */
export function obstacleOf(facts: Facts): string | undefined {
  if (!facts.extension) {
    return 'This database does not have Citus. Install it on every node, then run CREATE EXTENSION citus in each.'
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

/**
 * Has every connection opened from now on go through shards one after the other: a transaction that deletes tokens in many of
 * them also writes to tables that are copied, which Citus allows in no other way.
 */
async function oneShardAfterTheOther(client: pg.Client): Promise<void> {
  await client.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO sequential', current_database());
  END $$`)
}

/**
 * Ends the connections that were opened before, each when it has nothing to do, as they would go on without that setting.
 * Servers open others with their next statement. A prepared transaction or a job that takes long is waited for.
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
