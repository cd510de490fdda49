import { testPort } from '@/lib/testing/free-port'
import type { Drill } from '../drill'
import { withStage } from '../stage'

const replicas = 3

export const firstStart: Drill = {
  about: `${replicas} replicas start at the same time on an empty database`,
  run: () =>
    withStage({ migrated: false }, async (stage) => {
      const ports = [stage.port, await testPort(), await testPort()]
      const servers = ports.map((port) => stage.serve({ port }))
      const took = await Promise.all(servers.map((server) => server.ready()))
      const reports = await Promise.all(
        servers.map(async ({ base }) => (await fetch(`${base}/readyz`)).json() as Promise<{ jobs?: string }>),
      )
      const errors = servers.flatMap(({ output }) =>
        output()
          .split('\n')
          .filter((line) => line.includes('"level":"error"')),
      )
      const ledger = await stage.ledger(4)
      ledger.start()
      await ledger.stop()
      return {
        lines: [
          ['ready', `after ${took.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`],
          ['jobs', `run in ${reports.filter(({ jobs }) => jobs === undefined).length} of ${replicas}`],
          ['logged', `${errors.length} errors`],
        ],
        acknowledged: ledger.acknowledged,
        lost: await ledger.lost(),
        wrong: [
          ...reports.flatMap(({ jobs }, i) =>
            jobs === undefined ? [] : [`the jobs of replica ${i + 1}: ${jobs}`],
          ),
          ...errors,
        ],
      }
    }),
}
