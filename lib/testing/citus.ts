import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { withConnection } from '@/lib/base/db/embedded/cluster'
import { distribute } from '@/lib/features/distribution/distribute'
import { startOtherPostgres } from './other-postgres'

/**
 * The number of shards of a distributed table. With the two workers of the test database, each worker stores
 * two of them.
 */
const shards = 4

/**
 * Finds the local PostgreSQL that `pg_config` describes, if it has the Citus extension. To use another
 * PostgreSQL, set PG_CONFIG to the path of its `pg_config`.
 * @returns the installation folder, or undefined if `pg_config` fails or if its PostgreSQL lacks Citus or
 * `initdb`
 */
export function findCitus(): string | undefined {
  try {
    const [bin, share] = ['--bindir', '--sharedir'].map((what) =>
      execFileSync(process.env.PG_CONFIG ?? 'pg_config', [what], { encoding: 'utf8' }).trim(),
    ) as [string, string]
    const has = fs.existsSync(path.join(share, 'extension/citus.control'))
    return has && fs.existsSync(path.join(bin, 'initdb')) ? path.dirname(bin) : undefined
  } catch {
    return undefined
  }
}

const settings = [
  ...['shared_preload_libraries=citus', 'wal_level=logical', 'max_prepared_transactions=300'],
  ...['max_worker_processes=500', 'max_replication_slots=30', 'max_wal_senders=30'],
  ...['max_logical_replication_workers=20', 'citus.node_conninfo=sslmode=disable'],
]

/** Runs statements in order on one connection, and returns the result of the last statement. */
const run = (url: string, ...texts: string[]): Promise<pg.QueryResult> =>
  withConnection(url, async (client) => {
    let result: pg.QueryResult | undefined
    for (const text of texts) result = await client.query(text)
    return result as pg.QueryResult
  })

/**
 * Starts a coordinator and workers (by default, two). Each node has a database `template` with the Citus
 * extension.
 * @param dir the folder of the test run, in which the nodes store their data
 */
export async function startCitus(
  dir: string,
  programs: string,
  { workers: count = 2, more = [] as string[] } = {},
) {
  const start = async (name: string) => {
    const node = await startOtherPostgres(dir, programs, { name, settings: [...settings, ...more] })
    const { rows } = await run(
      node.url,
      `SELECT current_setting('output_plugin_libraries', true) AS decoders`,
    )
    if (rows[0].decoders) {
      await run(
        node.url,
        `ALTER SYSTEM SET output_plugin_libraries = ${rows[0].decoders}, citus`,
        'SELECT pg_reload_conf()',
      )
    }
    await run(node.url, 'CREATE EXTENSION citus')
    return node
  }
  const coordinator = await start('coordinator')
  const workers: (typeof coordinator)[] = []
  for (let n = 1; n <= count; n++) workers.push(await start(`worker-${n}`))
  const all = [coordinator, ...workers]
  return {
    coordinator,
    workers,
    /**
     * Makes the template database on each node reject new connections, and ends its open connections.
     * PostgreSQL cannot copy a database that has open connections, such as the Citus daemon's connection.
     */
    async seal() {
      for (const { url } of all) {
        await run(
          url.replace(/template$/, 'postgres'),
          'ALTER DATABASE template ALLOW_CONNECTIONS false',
          `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'template'`,
        )
      }
    },
    async release() {
      for (const node of all) await node.release()
    },
  }
}

const atNode = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`

/**
 * Registers the coordinator and the workers in the coordinator's database. A lock makes concurrent calls wait
 * for each other. Without the lock, two calls could change the same role: Citus writes the roles to each new
 * worker, and all databases on a worker share its roles. PostgreSQL rejects concurrent changes to a role.
 * @param url the URL of the coordinator's database
 * @param workers for each worker, the URL of any of its databases
 */
export async function registerNodes(url: string, workers: readonly string[]): Promise<void> {
  const turn = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  })
  await turn.connect()
  try {
    await turn.query('SELECT pg_advisory_lock(1)')
    await run(
      url,
      `SELECT citus_set_coordinator_host(${atNode(url)})`,
      ...workers.map((worker) => `SELECT citus_add_node(${atNode(worker)})`),
    )
  } finally {
    await turn.end()
  }
}

/**
 * Registers the nodes, and then distributes the tables of a migrated database with the function behind
 * `latchkey distribute`.
 * @param url the URL of the coordinator's database
 * @param workers for each worker, the URL of any of its databases
 */
export async function distributeOver(url: string, workers: readonly string[]): Promise<void> {
  await registerNodes(url, workers)
  await distribute({ address: url, shards, report: () => undefined })
}
