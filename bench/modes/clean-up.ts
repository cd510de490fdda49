import { spawn } from 'node:child_process'
import path from 'node:path'
import { measure } from '../driver/measure'
import { type BenchDatabase, query } from '../machine/database'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { table } from '../table'
import { startLatchkey } from '../targets/latchkey'

const root = path.join(import.meta.dirname, '../..')

/** Rows past their end, as many as an hour of the load leaves behind. */
const insertExpired = (count: number) =>
  `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, expires_at)
   SELECT sha256(('old' || g)::bytea), 'AccessToken', z.id, '{"scope": "openid email profile"}', now() - interval '2 days'
     FROM generate_series(1, ${count}) g
     JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM authorizations WHERE client_id = 'bench-native') z
       ON z.n = 1 + g % 10000`

const countExpired = `SELECT count(*)::int AS left FROM oauth_artifacts WHERE expires_at < now() - interval '1 day'`

/** Refreshing with and without the clean-up beside it, and how fast that is: more must go than comes. */
export async function cleanUp(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('clean_up')
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    const credentials = await target.mint('refresh', options.concurrency)
    await query(databaseUrl, insertExpired(options.size ?? 1_000_000))
    await query(databaseUrl, 'VACUUM ANALYZE oauth_artifacts')
    const left = async () => (await query<{ left: number }>(databaseUrl, countExpired))[0]?.left ?? 0
    const run = () =>
      measure(target, 'refresh', {
        seconds: options.seconds * 5,
        concurrency: options.concurrency,
        credentials,
        databaseCpu: database.cpu,
      })
    await run()
    const alone = await run()
    const cleaner = spawn(process.execPath, ['--import', 'tsx', 'bench/remove-expired.ts'], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        SECRET_KEY: 'the clean-up reads no secret whatever it is',
      },
    })
    const before = await left()
    const since = performance.now()
    const beside = await run()
    const removed = (before - (await left())) / ((performance.now() - since) / 1000)
    cleaner.kill()
    const row = (name: string, { rps, p50, p99 }: typeof alone) => [
      name,
      ...[rps, rps * 2].map(Math.round),
      p50.toFixed(2),
      p99.toFixed(2),
    ]
    console.log(
      table(
        ['refresh', 'rps', 'rows made a second', 'p50 ms', 'p99 ms'],
        [row('alone', alone), row('beside the clean-up', beside)],
      ),
    )
    console.log(`removed a second: ${Math.round(removed)}`)
    return removed > beside.rps * 2
  } finally {
    await target.server.stop()
  }
}
