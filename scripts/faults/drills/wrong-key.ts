import { setTimeout as sleep } from 'node:timers/promises'
import { testPort } from '@/lib/testing/free-port'
import type { Drill } from '../drill'
import { countResults } from '../ledger'
import { withStage } from '../stage'

export const wrongKey: Drill = {
  about: 'a second replica starts with another SECRET_KEY, next to a running one',
  run: () =>
    withStage({}, async (stage) => {
      await stage.serve().ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      await sleep(1_000)
      const since = performance.now()
      const mistyped = stage.serve({
        port: await testPort(),
        settings: { SECRET_KEY: 'b81f4e6d0c93a752f5e82d7b164c0a39' },
      })
      const code = await mistyped.ended
      const took = performance.now() - since
      await ledger.stop()
      const failed = ledger.answers.filter(({ what }) => what !== '200')
      const said = mistyped.output().trim().split('\n').at(-1) ?? ''
      return {
        lines: [
          ['answers', `${countResults(ledger.answers)} (from the running replica)`],
          ['ended', `with ${code} after ${(took / 1000).toFixed(1)} s`],
          ['said', said],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...(code === 1 && said.includes('SECRET_KEY')
            ? []
            : ['the second replica did not exit with code 1 and an error message']),
          ...(failed.length === 0 ? [] : [`requests failed: ${countResults(failed)}`]),
        ],
      }
    }),
}
