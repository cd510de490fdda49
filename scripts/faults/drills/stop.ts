import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill } from '../drill'
import { countResults } from '../ledger'
import { withStage } from '../stage'

/** The results of a successful request, and of a request whose connection no listener accepted. */
const notAccepted = ['200', 'ECONNREFUSED']

export const stop: Drill = {
  about: 'the only server receives SIGTERM under load',
  run: () =>
    withStage({}, async (stage) => {
      const server = stage.serve()
      await server.ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      await sleep(2_000)
      const since = performance.now()
      server.child.kill('SIGTERM')
      const code = await server.ended
      const took = performance.now() - since
      await ledger.stop()
      await stage.serve().ready()
      const cut = ledger.answers.filter(({ what }) => !notAccepted.includes(what))
      return {
        lines: [
          ['answers', countResults(ledger.answers)],
          ['ended', `with ${code}, ${(took / 1000).toFixed(1)} s after the signal`],
          [
            'cut off',
            `${cut.length} requests that were accepted${cut.length ? `: ${countResults(cut)}` : ''}`,
          ],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...(code === 0 ? [] : [`the server ended with ${code}`]),
          ...(cut.length === 0 ? [] : ['accepted requests did not get a successful response']),
        ],
      }
    }),
}
