import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { resetConfig } from '@/lib/base/config/env'
import { migrate, readMigrations } from '@/lib/base/db/migrate'
import { endConnections } from '@/lib/base/db/pool'
import { distribute } from '@/lib/features/distribution/distribute'
import { findCitus, registerNodes, startCitus } from '@/lib/testing/citus'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { testPort } from '@/lib/testing/free-port'
import { offline, signInToApp } from '@/lib/testing/oauth-flow'
import { signedInBrowser } from '@/lib/testing/oauth-world'
import { makeTemporaryData, removeTemporaryData } from '@/lib/testing/temporary-data'
import { applyTestEnvironment } from '@/lib/testing/test-environment'
import { type Drill, seconds } from '../drill'
import { type Answer, countResults, Ledger, longestGap } from '../ledger'
import { type Server, startServer } from '../server'

const about =
  'tokens are distributed under load, a Citus worker is killed and restarted, a third worker takes over shards'

/** The durability settings of a production node. With these settings, acknowledged data is on disk. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']

export const citus: Drill = {
  about,
  async run() {
    const programs = findCitus()
    if (!programs) {
      const why =
        'the PostgreSQL of pg_config does not have the Citus extension (set PG_CONFIG to use another one)'
      return { skipped: why }
    }
    const dir = makeTemporaryData()
    const cluster = await startCitus(dir, programs, { workers: 3, more: durable })
    let server: Server | undefined
    try {
      const { url } = cluster.coordinator
      await migrate(url, readMigrations('prisma/migrations'))
      const [first, second, third] = cluster.workers.map((worker) => worker.url) as [string, string, string]
      await registerNodes(url, [first, second])
      const port = await testPort()
      applyTestEnvironment(url, port)
      resetConfig()
      server = startServer(port, {
        BASE_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: url,
        SECRET_KEY: String(process.env.SECRET_KEY),
      })
      await server.ready()
      return await play(url, [second, third], cluster.workers[1] as Node, await startLedger(server.base))
    } finally {
      server?.child.kill('SIGKILL')
      await server?.ended
      await endConnections().catch(() => undefined)
      await cluster.release()
      removeTemporaryData(dir)
    }
  },
}

type Node = Awaited<ReturnType<typeof startCitus>>['coordinator']

/** Signs eight new users in to a new app. @returns a ledger that can continuously refresh their tokens */
async function startLedger(base: string): Promise<Ledger> {
  const owner = await makeUser()
  const { client } = await makeClient(await makeWorkspace([[owner, 'ADMIN']]), {
    type: 'NATIVE',
    redirectUris: ['http://127.0.0.1:7777/callback'],
  })
  const app = { clientId: client.id, redirectUri: client.redirectUris[0] as string, secret: undefined }
  const lines = []
  for (let line = 0; line < 8; line++) {
    const { id } = await makeUser()
    const { body } = await signInToApp(await signedInBrowser(id), app, offline)
    lines.push({ clientId: client.id, refreshToken: String(body.refresh_token) })
  }
  // Close the connections of this process now, because the distribution of the tables would terminate them.
  await endConnections()
  return new Ledger(() => base, lines)
}

async function play(url: string, [second, third]: [string, string], worker: Node, ledger: Ledger) {
  const lines: [string, string][] = []
  const wrong: string[] = []
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  /**
   * Runs work while the ledger creates load. @returns the results of the ledger's requests that ended during
   * the work
   */
  const during = async (work: () => Promise<unknown>): Promise<Answer[]> => {
    const from = ledger.answers.length
    await work()
    return ledger.answers.slice(from)
  }
  const shardsOn = async (node: string) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS shards FROM citus_shards WHERE nodeport = $1 AND table_name = 'oauth_artifacts'::regclass`,
      [new URL(node).port],
    )
    return rows[0].shards as number
  }
  ledger.start()
  await sleep(3_000)
  let since = performance.now()
  const spread = await during(() => distribute({ address: url, shards: 8, report: () => undefined }))
  lines.push(['distributed', `in ${seconds(performance.now() - since)} under load: ${tell(spread)}`])
  await sleep(3_000)

  worker.stop('immediate')
  const away = await during(() => sleep(6_000))
  lines.push([
    'killed',
    `a worker with ${await shardsOn(second)} of 8 shards, for 6 s: ${countResults(away)}`,
  ])
  wrong.push(...unlike(away, ['200', '503'], 'while a worker is away'))
  since = performance.now()
  worker.start()
  const back = await during(() => sleep(5_000))
  lines.push(['back', `${countResults(back)}; good again ${lastBad(back, since)} after the start`])

  since = performance.now()
  const moved = await during(async () => {
    await client.query(`SELECT citus_add_node('${new URL(third).hostname}', ${new URL(third).port})`)
    await client.query('SELECT citus_rebalance_start()')
    await client.query('SELECT citus_rebalance_wait()')
  })
  const there = await shardsOn(third)
  lines.push([
    'rebalanced',
    `${there} of 8 shards to a third worker in ${seconds(performance.now() - since)}: ${tell(moved)}`,
  ])
  if (there === 0) wrong.push('no shard was moved to the third worker')
  wrong.push(...unlike(moved, ['200', '503'], 'while shards move'))
  await sleep(2_000)
  await ledger.stop()
  await client.end()
  return { lines, acknowledged: ledger.acknowledged, lost: await ledger.lost(), wrong }
}

const tell = (answers: Answer[]) =>
  `${countResults(answers)}, at most ${(longestGap(answers) / 1000).toFixed(1)} s without a 200`

/**
 * Returns the time from `since` to the end of the last request without a 200, as text, or "0.0 s" if there is
 * none.
 */
function lastBad(answers: Answer[], since: number): string {
  const bad = answers.filter(({ what }) => what !== '200').map(({ at, ms }) => at + ms - since)
  return `${(Math.max(0, ...bad) / 1000).toFixed(1)} s`
}

const unlike = (answers: Answer[], expected: string[], when: string): string[] => {
  const others = answers.filter(({ what }) => !expected.includes(what))
  return others.length > 0 ? [`${when}: ${countResults(others)}`] : []
}
