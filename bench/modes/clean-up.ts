import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { type Measurement, measure } from '../driver/measure'
import { median } from '../driver/statistics'
import { type BenchDatabase, query } from '../machine/database'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { fraction, table, whole } from '../table'
import { startLatchkey } from '../targets/latchkey'

const root = path.join(import.meta.dirname, '../..')

/** The number of rows that a refresh writes: an access token and the next refresh token. */
const ROWS_EACH = 2

/** Returns SQL that inserts expired access tokens. */
const insertExpired = (count: number) =>
  `INSERT INTO oauth_artifacts (hash, model, authorization_id, payload, expires_at)
   SELECT sha256(('old' || g)::bytea), 'AccessToken', z.id, '{"scope": "openid email profile"}', now() - interval '2 days'
     FROM generate_series(1, ${count}) g
     JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM authorizations WHERE client_id = 'bench-native') z
       ON z.n = 1 + g % 10000`

const countExpired = `SELECT count(*)::int AS left FROM oauth_artifacts WHERE expires_at < now() - interval '1 day'`

/**
 * Measures refreshes with and without a concurrent clean-up, and the speed of the clean-up.
 * @returns false if the clean-up does not remove rows faster than the refreshes add them, or if a request
 * failed
 */
export async function cleanUp(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('clean_up')
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    const credentials = await target.mint('refresh', options.concurrency, 'native')
    await query(databaseUrl, insertExpired(options.size ?? 1_000_000))
    await query(databaseUrl, 'VACUUM ANALYZE oauth_artifacts')
    const left = async () => (await query<{ left: number }>(databaseUrl, countExpired))[0]?.left ?? 0
    const run = (requests: number) =>
      measure(target, 'refresh-native', {
        ...{ requests, credentials },
        concurrency: options.concurrency,
        databaseCpu: database.cpu,
      })
    const { rps: pace } = await run(options.warm)
    const requests = Math.ceil(Math.max(options.concurrency, pace * options.seconds))
    const alone: Measurement[] = []
    const during: (Measurement & { removed: number })[] = []
    let ranOut = false
    for (let round = 0; round < options.rounds; round++) {
      alone.push(await run(requests))
      const cleaner = await startCleaner(databaseUrl)
      const before = await left()
      const since = performance.now()
      const measured = await run(requests)
      const after = await left()
      during.push({ ...measured, removed: (before - after) / ((performance.now() - since) / 1000) })
      await stop(cleaner)
      ranOut = after === 0
      if (ranOut) break
    }
    console.log(
      `\n${table(
        ['refresh', 'rps', 'min-max', 'p50 ms', 'p99 ms', 'rows added per second', 'rows removed per second'],
        [
          row('alone', alone, '-'),
          row('during the clean-up', during, whole(median(during.map((each) => each.removed)))),
        ],
      )}`,
    )
    const ratio = median(during.map(({ removed, rps }) => removed / (rps * ROWS_EACH)))
    const slower = median(during.map(({ rps }, i) => rps / (alone[i] as Measurement).rps))
    console.log(
      `\nUnder load, the clean-up removes ${fraction(ratio, 1)} rows for each row that is added. The load keeps ${fraction(slower * 100, 0)} % of its throughput.`,
    )
    if (ranOut)
      console.log('The clean-up ran out of rows to remove. With a larger --size, the rate is higher.')
    return ratio > 1 && [...alone, ...during].every((each) => each.failures === 0)
  } finally {
    await target.server.stop()
  }
}

function row(name: string, measured: Measurement[], removed: string): string[] {
  const of = (pick: (each: Measurement) => number) => median(measured.map(pick))
  const rps = measured.map((each) => each.rps)
  return [
    name,
    whole(median(rps)),
    `${whole(Math.min(...rps))}-${whole(Math.max(...rps))}`,
    fraction(of((each) => each.p50)),
    fraction(of((each) => each.p99)),
    whole(median(rps) * ROWS_EACH),
    removed,
  ]
}

/**
 * Starts a process that repeatedly removes expired rows, and waits for the process's first output.
 * @throws Error if the process ends before its first output
 */
async function startCleaner(databaseUrl: string): Promise<ChildProcess> {
  const cleaner = spawn(process.execPath, ['--import', 'tsx', 'bench/remove-expired.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'the clean-up reads no encrypted values',
    },
  })
  await new Promise((resolve, reject) => {
    cleaner.stdout?.once('data', resolve)
    cleaner.once('exit', () => reject(new Error('The clean-up ended unexpectedly.')))
  })
  return cleaner
}

async function stop(cleaner: ChildProcess): Promise<void> {
  cleaner.removeAllListeners('exit')
  const ended = new Promise((resolve) => cleaner.once('exit', resolve))
  cleaner.kill()
  await ended
}
