import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Drill } from './drill'
import { citus } from './drills/citus'
import { clocks } from './drills/clocks'
import { databaseFrozen } from './drills/database-frozen'
import { databaseKilled } from './drills/database-killed'
import { databaseRestarted } from './drills/database-restarted'
import { diskFull } from './drills/disk-full'
import { failover } from './drills/failover'
import { firstStart } from './drills/first-start'
import { kill } from './drills/kill'
import { pathLost } from './drills/path-lost'
import { rolling } from './drills/rolling'
import { signIns } from './drills/sign-ins'
import { stop } from './drills/stop'
import { upgrade } from './drills/upgrade'
import { wrongKey } from './drills/wrong-key'

/**
 * The drills of `npm run faults`, which cause failures on purpose (docs/operate/runbook.md). See ADR 0038.
 */
const drills: Record<string, Drill> = {
  kill,
  stop,
  'path-lost': pathLost,
  'database-restarted': databaseRestarted,
  'database-killed': databaseKilled,
  'database-frozen': databaseFrozen,
  'disk-full': diskFull,
  failover,
  'wrong-key': wrongKey,
  'first-start': firstStart,
  clocks,
  citus,
  'sign-ins': signIns,
  rolling,
  upgrade,
}

async function main(names: string[]): Promise<boolean> {
  const unknown = names.find((name) => !Object.hasOwn(drills, name))
  if (unknown !== undefined) {
    const list = Object.entries(drills).map(([name, { about }]) => `  ${name.padEnd(20)}${about}`)
    console.error(`There is no drill "${unknown}". Available drills:\n${list.join('\n')}`)
    return false
  }
  const [name] = names
  if (names.length === 1 && name !== undefined) return perform(name)
  // Each drill runs in its own process, because settings and connections last as long as the process.
  const results = (names.length > 0 ? names : Object.keys(drills)).map((each) => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), each]
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0
  })
  return results.every(Boolean)
}

/** Runs a drill and prints its findings. @returns whether the drill succeeded or was skipped */
async function perform(name: string): Promise<boolean> {
  const { about, run } = drills[name] as Drill
  console.log(`${name}: ${about}`)
  const since = performance.now()
  const findings = await run()
  if ('skipped' in findings) {
    say('skipped', `${findings.skipped}\n`)
    return true
  }
  const { lines, acknowledged, lost = [], wrong } = findings
  for (const [word, text] of lines) say(word, text)
  if (acknowledged !== undefined)
    say('lost', `${lost.length} of ${acknowledged.toLocaleString('en')} acknowledged tokens`)
  for (const each of new Set(lost)) say('', each)
  for (const each of wrong) say('wrong', each)
  say('took', `${((performance.now() - since) / 1000).toFixed(0)} s`)
  console.log()
  return lost.length === 0 && wrong.length === 0
}

const say = (word: string, text: string): void => console.log(`  ${word.padEnd(12)}${text}`)

/**
 * Reads `--release <commit, tag or folder>`, and stores the value in FAULTS_RELEASE, which sets the earlier
 * release for `rolling` and `upgrade`.
 * @returns the other arguments
 */
function readArguments(args: string[]): string[] {
  const at = args.indexOf('--release')
  if (at === -1) return args
  const release = args[at + 1]
  if (release !== undefined) process.env.FAULTS_RELEASE = release
  return args.toSpliced(at, 2)
}

process.exit((await main(readArguments(process.argv.slice(2)))) ? 0 : 1)
