import type pg from 'pg'
import { databaseTarget } from '@/lib/base/db/database-target'
import { PrimaryClient } from '@/lib/base/db/primary-client'
import { foldUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { checkCluster } from './check-cluster'
import { declareEnumsImmutable } from './immutable-enums'
import { commitFunction, distributedTables, droppedTriggers, referenceTables } from './table-layout'

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

/** How a table lies by now, by what Citus says; absent for one that it knows nothing of. */
type Known = Map<string, string>

/**
 * Gives a database with Citus the layout of table-layout.ts, or what is missing of it: what is done is found done, so it may
 * end at any point and be run again, also after an upgrade.
 *
 * The servers go on meanwhile. A table that becomes a reference table takes no writes while it is copied; of the tokens,
 * which are most of the rows, only the end of the copying waits for writes (`create_distributed_table_concurrently`).
 * @throws Error with one sentence where the database cannot be distributed
 */
export async function distribute({ address, ca, shards, told }: Options): Promise<void> {
  const connection = () =>
    new PrimaryClient({ application_name: 'latchkey-distribute', ...databaseTarget(address, ca) })
  const client = connection()
  const watcher = connection()
  await client.connect()
  await watcher.connect()
  try {
    await checkCluster(client)
    await client.query('SET statement_timeout = 0')
    // Local tables follow the reference tables they refer to by themselves; Citus has a notice for each.
    await client.query('SET client_min_messages = error')
    await declareEnumsImmutable(client)
    // A transaction that deletes tokens in many shards also writes to reference tables, which Citus allows one after the other.
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO sequential', current_database());
    END $$`)
    for (const { table, trigger } of droppedTriggers) {
      await client.query(`DROP TRIGGER IF EXISTS ${trigger} ON ${table}`)
    }
    await foldUsedTables(client)
    const known = await readKnown(client)
    for (const table of referenceTables) {
      await step(told, `${table}: on every node`, known.get(table) === 'reference', () =>
        client.query('SELECT create_reference_table($1)', [table]),
      )
    }
    for (const { table, by } of distributedTables) {
      await step(told, `${table}: in shards by ${by}`, known.get(table) === 'distributed', () =>
        intoShards(client, watcher, { table, by, shards, told }),
      )
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
    await watcher.end()
  }
}

async function step(told: Told, what: string, isDone: boolean, work: () => Promise<unknown>): Promise<void> {
  if (isDone) return told(`${what}: so already`)
  const since = performance.now()
  await work()
  told(`${what}: done in ${((performance.now() - since) / 1000).toFixed(1)} s`)
}

async function readKnown(client: pg.Client): Promise<Known> {
  const { rows } = await client.query<{ name: string; type: string }>(
    'SELECT table_name::text AS name, citus_table_type AS type FROM citus_tables',
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

async function isSpread(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_catalog.pg_dist_object
      WHERE objid = $1::regprocedure AND distribution_argument_index IS NOT NULL`,
    [commitFunction.signature],
  )
  return rowCount === 1
}

/** Copies a table into shards, telling every few seconds how far it is. An empty one has nothing to copy. */
async function intoShards(
  client: pg.Client,
  watcher: pg.Client,
  { table, by, shards, told }: { table: string; by: string; shards: number; told: Told },
): Promise<void> {
  await client.query(`SET citus.shard_count = ${Math.trunc(shards)}`)
  const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`)
  if (rowCount === 0) {
    await client.query('SELECT create_distributed_table($1, $2)', [table, by])
    return
  }
  const { rows } = await client.query<{ rows: string }>(
    'SELECT greatest(reltuples, 0)::bigint AS rows FROM pg_class WHERE oid = $1::regclass',
    [table],
  )
  const tell = async () => {
    const { rows: copied } = await watcher.query<{ copied: string }>(
      `SELECT coalesce(sum(result::bigint), 0) AS copied FROM run_command_on_workers(
         'SELECT coalesce(sum(tuples_processed), 0) FROM pg_stat_progress_copy')`,
    )
    if (Number(copied[0]?.copied))
      told(`... ${copied[0]?.copied} of about ${rows[0]?.rows} rows are being copied`)
  }
  const timer = setInterval(() => void tell().catch(() => undefined), 5_000)
  try {
    await client.query('SELECT create_distributed_table_concurrently($1, $2)', [table, by])
  } finally {
    clearInterval(timer)
  }
}
