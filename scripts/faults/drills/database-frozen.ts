import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, seconds } from '../drill'
import { countResults, longestGap, unexpectedResults } from '../ledger'
import { postgresIn } from '../postgres'
import { isReady } from '../server'
import { withStage } from '../stage'

/** The server's DATABASE_TIMEOUT in seconds. */
const timeout = 3
/** The duration of the freeze in milliseconds. */
const frozenMs = 20_000

/**
 * The time limit of a request in milliseconds: the wait for a connection, the statement timeout with its
 * grace period, and a margin for a busy machine.
 */
const longestMs = (10 + timeout + 5) * 1_000 + 7_000

export const databaseFrozen: Drill = {
  about: `every PostgreSQL process is stopped for ${frozenMs / 1000} s (SIGSTOP), as on a host that hangs, and then resumed`,
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
          ['503 after', `at most ${seconds(longest)}, with DATABASE_TIMEOUT=${timeout}`],
          ['/readyz', `requested ${reasons.length} times during the freeze: "${reasons.at(-1)}"`],
          ['ready', `${seconds(ready)} after the processes resumed`],
          ['away', `${seconds(longestGap(ledger.answers))} at most between two successful responses`],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...unexpectedResults(ledger.answers),
          ...(odd.length === 0 ? [] : [`/readyz returned another reason: ${[...new Set(odd)].join(', ')}`]),
          ...(longest < longestMs ? [] : ['a request waited longer than its limit']),
        ],
      }
    }),
}

/**
 * Returns the result of a request to /readyz: the reason in a 503 response, "ready" if the response gives no
 * reason, or the error's name if the request failed.
 */
async function reasonOf(base: string): Promise<string> {
  try {
    const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(3_000) })
    const { reason = 'ready' } = (await answer.json()) as { reason?: string }
    return reason
  } catch (error) {
    return (error as Error).name
  }
}
