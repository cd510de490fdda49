import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nameMigrations } from '@/lib/base/db/migrate'
import { testPort } from '@/lib/testing/free-port'
import type { Drill, Findings } from '../drill'
import { releaseBefore, withBuiltRelease } from '../earlier-release'
import { countResults, type Ledger } from '../ledger'
import type { Server } from '../server'
import { type Stage, withStage } from '../stage'

export const rolling: Drill = {
  about:
    'the previous release and this one run side by side on one database under load, then this one alone, and back',
  async run() {
    const commit = process.env.FAULTS_RELEASE ?? releaseBefore()
    if (commit === undefined) {
      return {
        skipped:
          'this clone does not contain the previous release; fetch the history, or specify one with --release <commit>',
      }
    }
    return withBuiltRelease(commit, (dir) =>
      withStage({ migrated: false }, (stage) => roll(stage, dir, commit)),
    )
  },
}

async function roll(stage: Stage, dir: string, commit: string): Promise<Findings> {
  const newer = migrationsIn('.').filter((name) => !migrationsIn(dir).includes(name))
  let old = stage.serve({ dir })
  await old.ready()
  const port = await testPort()
  let current = stage.serve({ port })
  await current.ready()

  let serving: Server[] = [old, current]
  let turn = 0
  const ledger = await stage.ledger(8, () => (serving[turn++ % serving.length] as Server).base)
  const lines: [string, string][] = [
    ['before', `${commit}, whose schema lacks these migrations: ${nameMigrations(newer) || 'none'}`],
  ]
  const step = async (word: string, servers: Server[]) => {
    serving = servers
    const from = ledger.answers.length
    await sleep(4_000)
    lines.push([word, countResults(ledger.answers.slice(from))])
  }
  ledger.start()
  await step('both', [old, current])
  serving = [current]
  await stop(old)
  await step('this one', [current])
  old = stage.serve({ dir })
  await old.ready()
  await step('both again', [old, current])
  serving = [old]
  await stop(current)
  await step('rolled back', [old])
  current = stage.serve({ port })
  await current.ready()
  await step('and forward', [old, current])
  await ledger.stop()
  return { lines, acknowledged: ledger.acknowledged, lost: await ledger.lost(), wrong: failures(ledger) }
}

/** Stops a server, as an orchestrator does after it has removed the server from the balancer. */
async function stop({ child, ended }: Server): Promise<void> {
  await sleep(500)
  child.kill('SIGTERM')
  await ended
}

const migrationsIn = (dir: string): string[] => fs.readdirSync(path.join(dir, 'prisma/migrations'))

function failures({ answers }: Ledger): string[] {
  const odd = answers.filter(({ what }) => what !== '200')
  return odd.length === 0 ? [] : [`requests failed: ${countResults(odd)}`]
}
