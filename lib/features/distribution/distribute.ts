import type pg from 'pg'
import { databaseTarget } from '@/lib/base/db/database-target'
import { declareEnumsImmutable } from '@/lib/base/db/immutable-enums'
import { PrimaryClient } from '@/lib/base/db/primary-client'
import { foldUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { checkCluster } from './check-cluster'
import { intoShards } from './into-shards'
import { readPlaces } from './read-places'
import { endEarlierConnections, oneShardAfterTheOther } from './session-settings'
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
    throw new Error('The tables are being distributed already: wait for the other command to end.')
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
