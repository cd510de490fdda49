import { setTimeout as sleep } from 'node:timers/promises'
import { namingAll, startFamily } from '@/lib/testing/cluster-family'
import { testPort } from '@/lib/testing/free-port'
import type { Drill } from '../drill'
import { type Ledger, longestGap, tally } from '../ledger'
import { withStage } from '../stage'

/** What an outage may look like. */
const asPromised = ['200', '503']

/** Between the death of the primary and the promotion, as whoever watches it needs to be sure, in milliseconds. */
const noticedAfterMs = 2_000

/** What an app that logs in waits for. */
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export const failover: Drill = {
  about:
    'kill -9 of the primary under load, the synchronous standby promoted, and the old primary started again',
  async run() {
    let family: Awaited<ReturnType<typeof startFamily>> | undefined
    const open = async (dataDir: string) => {
      family = await startFamily(dataDir)
      return { url: family.primary.url, release: family.end }
    }
    return withStage({ open }, async (stage) => {
      const { primary, add } = family as NonNullable<typeof family>
      const standby = await add('standby')
      await primary.set({ synchronous_standby_names: 'standby' })
      const byName = stage.serve({
        settings: { DATABASE_URL: `${namingAll(primary, standby)}?target_session_attrs=read-write` },
      })
      // The other one is told of an address that moves: the stage's path.
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

      // As a machine that boots: it knows nothing of what happened meanwhile, and takes writes.
      await primary.start()
      const [{ writable } = { writable: false }] = await primary.ask<{ writable: boolean }>(
        'SELECT NOT pg_is_in_recovery() AS writable',
      )
      const later = stage.serve({
        port: await testPort(),
        settings: { DATABASE_URL: namingAll(primary, standby) },
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
      const odd = ledgers.flatMap(([, { answers }]) =>
        answers.filter(({ what }) => !asPromised.includes(what)),
      )
      return {
        lines: [
          ['promoted', `${seconds(noticedAfterMs)} after the kill, in ${seconds(promoted)}`],
          ...ledgers.map(([words, { answers }]): [string, string] => [
            words,
            `${tally(answers)}; ${seconds(longestGap(answers))} between two good answers at the longest`,
          ]),
          [
            'came back',
            `the old primary takes writes (${writable ? 'yes' : 'no'}); connections to it ${astray}, to the new one ${there}`,
          ],
        ],
        acknowledged: ledgers.reduce((sum, [, ledger]) => sum + ledger.acknowledged, 0),
        lost,
        wrong: [
          ...(odd.length === 0 ? [] : [`an outage told as something else: ${tally(odd)}`]),
          ...(writable && astray === 0 ? [] : ['a server went to the old primary']),
        ],
      }
    })
  },
}
