import { setTimeout as sleep } from 'node:timers/promises'
import { type Drill, seconds } from '../drill'
import { countResults, longestGap, unexpectedResults } from '../ledger'
import { postgresIn } from '../postgres'
import { withStage } from '../stage'

/**
 * The shutdown modes of pg_ctl that the drill uses. `fast` disconnects all clients. `immediate` simulates a
 * crash, so the next start recovers from the log.
 */
const modes = ['fast', 'immediate']

export const databaseRestarted: Drill = {
  about: `PostgreSQL restarted under load: ${modes.join(', then ')}`,
  run: () =>
    withStage({}, async (stage) => {
      const postgres = await postgresIn(stage.dataDir)
      await stage.serve().ready()
      const ledger = await stage.ledger(8)
      ledger.start()
      const lines: [string, string][] = []
      for (const mode of modes) {
        await sleep(2_000)
        const before = ledger.answers.length
        await postgres.restart(mode)
        await sleep(3_000)
        const answers = ledger.answers.slice(before)
        lines.push([
          mode,
          `${countResults(answers)}; ${seconds(longestGap(answers))} between two good answers`,
        ])
      }
      await ledger.stop()
      return {
        lines,
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: unexpectedResults(ledger.answers),
      }
    }),
}
