import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill } from '../drill'
import { countResults, longestGap } from '../ledger'
import { withStage } from '../stage'

/** The number of kills. */
const times = 3

export const kill: Drill = {
  about: 'the only server is killed with SIGKILL under load, and restarted each time',
  run: () =>
    withStage({}, async (stage) => {
      let server = stage.serve()
      await server.ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      for (let time = 0; time < times; time++) {
        await sleep(2_000)
        server.child.kill('SIGKILL')
        await server.ended
        server = stage.serve()
        await server.ready()
      }
      await sleep(2_000)
      await ledger.stop()
      return {
        lines: [
          ['answers', countResults(ledger.answers)],
          [
            'away',
            `${(longestGap(ledger.answers) / 1000).toFixed(1)} s at most, the time that a server start takes`,
          ],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [],
      }
    }),
}
