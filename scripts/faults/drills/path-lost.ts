import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, seconds } from '../drill'
import { countResults, longestGap, unexpectedResults } from '../ledger'
import { isReady } from '../server'
import { withStage } from '../stage'

export const pathLost: Drill = {
  about: 'every database connection is lost silently, as after a failover, while new connections succeed',
  run: () =>
    withStage({}, async (stage) => {
      const server = stage.serve({ settings: { DATABASE_TIMEOUT: '3' } })
      await server.ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      await sleep(2_000)
      const broken = performance.now()
      stage.path.become('lost')
      while (!(await isReady(server.base))) await sleep(25)
      const ready = performance.now()
      await sleep(15_000)
      await ledger.stop()
      return {
        lines: [
          ['answers', countResults(ledger.answers)],
          [
            'ready',
            `/readyz says 200 again ${seconds(ready - broken)} after the loss, at DATABASE_TIMEOUT=3`,
          ],
          ['away', `${seconds(longestGap(ledger.answers))} at most between two successful responses`],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: unexpectedResults(ledger.answers),
      }
    }),
}
