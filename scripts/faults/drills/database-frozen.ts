import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, seconds } from '../drill'
import { countResults, longestGap, unexpectedResults } from '../ledger'
import { postgresIn } from '../postgres'
import { isReady } from '../server'
import { withStage } from '../stage'

/** The server's DATABASE_TIMEOUT, and the duration of the freeze. */
const timeout = 3
const frozenMs = 20_000

/**
 * The wait for a connection, the statement timeout with its grace period, both twice because a request can
 * need both, and time for a busy machine.
 */
const longestMs = (10 + timeout + 5) * 1_000 + 7_000

export const databaseFrozen: Drill = {
  about: `every process of PostgreSQL stopped for ${frozenMs / 1000} s (SIGSTOP), as on a host that hangs, and let go on`,
  run: () =>
    withStage({}, async (stage) => {
      const postgres = await postgresIn(stage.dataDir)
      const server = stage.serve({ settings: { DATABASE_TIMEOUT: String(timeout) } })
      await server.ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      await sleep(2_000)
      const since = performance.now()
      postgres.signal('SIGSTOP')
      const reasons: string[] = []
      try {
        while (performance.now() - since < frozenMs) {
          reasons.push(await reasonOf(server.base))
          await sleep(250)
        }
      } finally {
        postgres.signal('SIGCONT')
      }
      const thawed = performance.now()
      while (!(await isReady(server.base))) await sleep(25)
      const ready = performance.now() - thawed
      await sleep(3_000)
      await ledger.stop()
      const failed = ledger.answers.filter(({ what }) => what !== '200')
      const longest = Math.max(0, ...failed.map(({ ms }) => ms))
      const odd = reasons.filter((reason) => reason !== 'the database does not answer')
      return {
        lines: [
          ['answers', countResults(ledger.answers)],
          ['503 after', `${seconds(longest)} at the longest, at DATABASE_TIMEOUT=${timeout}`],
          ['/readyz', `asked ${reasons.length} times in the meantime: "${reasons.at(-1)}"`],
          ['ready', `${seconds(ready)} after it went on`],
          ['away', `${seconds(longestGap(ledger.answers))} between two good answers at the longest`],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...unexpectedResults(ledger.answers),
          ...(odd.length === 0 ? [] : [`/readyz said otherwise: ${[...new Set(odd)].join(', ')}`]),
          ...(longest < longestMs ? [] : ['a request waited longer than promised']),
        ],
      }
    }),
}

/** Returns the reason of /readyz for a 503; otherwise "ready", or the result of the request. */
async function reasonOf(base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(3_000) })
    const { reason = 'ready' } = (await answer.json()) as { reason?: string }
    return reason
  } catch (error) {
    return (error as Error).name
  }
}
