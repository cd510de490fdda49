import { setTimeout as sleep } from 'node:timers/promises'
import { urlOfAllMembers } from '@/lib/testing/cluster-family'
import { testPort } from '@/lib/testing/free-port'
import { type Drill, seconds } from '../drill'
import { withFamily } from '../family'
import { countResults, type Ledger, longestGap, unexpectedResults } from '../ledger'

/**
 * The time in milliseconds between the primary's death and the promotion, during which a failover manager
 * confirms the failure.
 */
const noticedAfterMs = 2_000

export const failover: Drill = {
  about:
    'the primary is killed under load, the synchronous standby is promoted, and the old primary restarts',
  async run() {
    return withFamily(async (stage, { primary, add }) => {
      const standby = await add('standby')
      await primary.set({ synchronous_standby_names: 'standby' })
      const byName = stage.serve({
        settings: { DATABASE_URL: `${urlOfAllMembers(primary, standby)}?target_session_attrs=read-write` },
      })
      // Unlike the first server, this server connects only to the stage's proxy, which later leads to the new
      // primary.
      const byAddress = stage.serve({ port: await testPort() })
      await Promise.all([byName.ready(), byAddress.ready()])
      const [named, moving] = (await stage.ledgers(6, [() => byName.base, () => byAddress.base])) as [
        Ledger,
        Ledger,
      ]
      const ledgers: [words: string, ledger: Ledger][] = [
        ['both named', named],
        ['moving', moving],
      ]
      for (const [, ledger] of ledgers) ledger.start()
      await sleep(4_000)

      await primary.kill()
      await sleep(noticedAfterMs)
      const promoting = performance.now()
      await standby.ask('SELECT pg_promote(true)')
      const promoted = performance.now() - promoting
      stage.path.lead(new URL(standby.url))
      await sleep(6_000)

      // The old primary restarts, as after a reboot. It still accepts writes, because it was down during the
      // failover and nothing has turned it into a standby.
      await primary.start()
      const [{ writable } = { writable: false }] = await primary.ask<{ writable: boolean }>(
        'SELECT NOT pg_is_in_recovery() AS writable',
      )
      const later = stage.serve({
        port: await testPort(),
        settings: { DATABASE_URL: urlOfAllMembers(primary, standby) },
      })
      await later.ready()
      const [{ there } = { there: 0 }] = await standby.ask<{ there: number }>(
        `SELECT count(*)::int AS there FROM pg_stat_activity
          WHERE application_name = 'latchkey' AND backend_start > now() - interval '1 minute'`,
      )
      const [{ astray } = { astray: 0 }] = await primary.ask<{ astray: number }>(
        `SELECT count(*)::int AS astray FROM pg_stat_activity WHERE application_name = 'latchkey'`,
      )
      await sleep(3_000)
      const lost: string[] = []
      for (const [, ledger] of ledgers) {
        await ledger.stop()
        lost.push(...(await ledger.lost()))
      }
      return {
        lines: [
          ['promoted', `${seconds(noticedAfterMs)} after the kill, in ${seconds(promoted)}`],
          ...ledgers.map(([words, { answers }]): [string, string] => [
            words,
            `${countResults(answers)}; ${seconds(longestGap(answers))} at most between two successful responses`,
          ]),
          [
            'came back',
            `the old primary accepts writes: ${writable ? 'yes' : 'no'}; connections to it: ${astray}, to the new one: ${there}`,
          ],
        ],
        acknowledged: ledgers.reduce((sum, [, ledger]) => sum + ledger.acknowledged, 0),
        lost,
        wrong: [
          ...unexpectedResults(ledgers.flatMap(([, { answers }]) => answers)),
          ...(writable && astray === 0 ? [] : ['a server connected to the old primary']),
        ],
      }
    })
  },
}
