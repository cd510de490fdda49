import fs from 'node:fs'
import path from 'node:path'
import { distribute } from '@/lib/features/distribution/distribute'
import { findCitus, registerNodes, startCitus } from '@/lib/testing/citus'
import { startOtherPostgres } from '@/lib/testing/other-postgres'
import { alternate } from '../driver/alternate'
import { type BenchDatabase, query } from '../machine/database'
import { familyCpu } from '../machine/processor-time'
import type { Operation } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine, reportOperation } from '../report'
import { startLatchkey } from '../targets/latchkey'

const measured: Operation[] = [
  ...(['refresh-native', 'refresh-web', 'code-native', 'userinfo-native'] as const),
  ...(['introspect-web', 'graphql-me'] as const),
]

/** The durability settings of a production node. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB']

/** The number of shards that `latchkey distribute` creates by default. */
const shards = 32

/**
 * Returns SQL that inserts tokens, half access tokens and half refresh tokens. Nine in ten refresh tokens
 * were used, and the responses to these refreshes are still stored for repeated requests.
 */
const fill = (tokens: number) => `
  INSERT INTO oauth_artifacts (hash, model, authorization_id, family, payload, consumed_at, replay, expires_at)
  SELECT sha256(('fill' || g)::bytea), CASE WHEN g % 2 = 0 THEN 'RefreshToken' ELSE 'AccessToken' END, z.id,
         sha256(('family' || g / 8)::bytea), t.payload, CASE WHEN g % 2 = 0 AND g % 20 > 0 THEN now() END,
         CASE WHEN g % 2 = 0 AND g % 20 > 0 THEN convert_to(repeat(md5(g::text), 26), 'UTF8') END, now() + interval '30 days'
    FROM generate_series(1, ${tokens}) g
    JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM authorizations WHERE client_id = 'bench-native') z
      ON z.n = 1 + g % 10000
   CROSS JOIN (SELECT payload FROM oauth_artifacts WHERE model = 'RefreshToken' LIMIT 1) t`

/**
 * Compares a single PostgreSQL server with a Citus coordinator and two workers of the same release. Both
 * databases store the same number of tokens. If Citus is not installed, skips the comparison and returns
 * true.
 * @returns false if a request failed
 */
export async function citus(options: Options, database: BenchDatabase): Promise<boolean> {
  const programs = findCitus()
  if (!programs) {
    console.log(
      'Skipped: the PostgreSQL of pg_config does not have the Citus extension. Set PG_CONFIG to use another one.',
    )
    return true
  }
  const dir = fs.mkdtempSync(path.join(process.env.BENCH_DIR ?? '/tmp', 'latchkey-bench-citus-'))
  fs.chmodSync(dir, 0o755)
  const alone = await startOtherPostgres(dir, programs, { name: 'alone', settings: durable })
  const cluster = await startCitus(dir, programs, { more: durable })
  const servers: { stop: () => Promise<void> }[] = []
  try {
    const all = ['alone', 'coordinator', 'worker-1', 'worker-2'].map((name) => mainProcess(dir, name))
    const measuring: BenchDatabase = {
      ...database,
      cpu: () => all.reduce((sum, pid) => sum + familyCpu(pid), 0),
      facts: await readFacts(alone.url),
    }
    console.log(describeMachine(measuring))
    await registerNodes(
      cluster.coordinator.url,
      cluster.workers.map(({ url }) => url),
    )
    const tokens = options.size ?? 2_000_000
    const start = async (name: string, url: string, port: number) => {
      const target = await startLatchkey({ ...options, port, databaseUrl: url, name })
      servers.push(target.server)
      await query(url, fill(tokens))
      await query(url, 'VACUUM ANALYZE oauth_artifacts')
      return target
    }
    const one = await start('one node', alone.url, basePort)
    const three = await start('citus', cluster.coordinator.url, basePort + 1)
    const since = performance.now()
    await distribute({ address: cluster.coordinator.url, shards, report: (line) => console.log(`  ${line}`) })
    await query(cluster.coordinator.url, 'VACUUM ANALYZE oauth_artifacts')
    console.log(
      `${tokens.toLocaleString('en')} tokens in ${shards} shards on 2 workers, in ${((performance.now() - since) / 1000).toFixed(0)} s with all else`,
    )
    let good = true
    for (const operation of options.operations.length ? options.operations : measured) {
      const rounds = await alternate([one, three], operation, options, measuring)
      console.log(reportOperation(rounds, 'citus'))
      good &&= rounds.every((each) => each.failures === 0)
    }
    return good
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await cluster.release()
    await alone.release()
    fs.rmSync(dir, { recursive: true, force: true })
  }
}

const mainProcess = (dir: string, name: string): number =>
  Number(fs.readFileSync(path.join(dir, name, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

async function readFacts(url: string): Promise<BenchDatabase['facts']> {
  const [facts] = await query<BenchDatabase['facts']>(
    url,
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS synchronous_commit,
            current_setting('shared_buffers') AS shared_buffers`,
  )
  return facts as BenchDatabase['facts']
}
