import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, seconds } from '../drill'
import { countResults, longestGap, unexpectedResults } from '../ledger'
import { postgresIn } from '../postgres'
import { withStage } from '../stage'

/** The number of kills. */
const times = 3

export const databaseKilled: Drill = {
  about: 'PostgreSQL is killed with SIGKILL under load, and restarted each time, which recovers from the log',
  run: () =>
    withStage({}, async (stage) => {
      const postgres = await postgresIn(stage.dataDir)
      await stage.serve().ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      for (let time = 0; time < times; time++) {
        await sleep(2_000)
        await postgres.kill()
        await postgres.start()
      }
      await sleep(2_000)
      await ledger.stop()
      return {
        lines: [
          ['answers', countResults(ledger.answers)],
          ['away', `${seconds(longestGap(ledger.answers))} at most between two successful responses`],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: unexpectedResults(ledger.answers),
      }
    }),
}
