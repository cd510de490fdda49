import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pages, write as updateCapacity } from '@/scripts/capacity/document'
import type { Mode } from './options'
import { type Result, resultsPage } from './results-page'

/**
 * The modes that `npm run bench:all` runs, each with a time limit. The most important modes are first, and
 * `citus` is not included. The command then writes docs/performance/results.md from the modes' output. A run
 * takes about 45 minutes on two cores.
 */
const plan: { mode: Mode; minutes: number; args: string[] }[] = [
  { mode: 'compare', minutes: 24, args: ['--rounds', '3', '--seconds', '1.5'] },
  { mode: 'pages', minutes: 4, args: ['--rounds', '3'] },
  { mode: 'profile', minutes: 7, args: ['--warm', '2000', '--seconds', '1'] },
  {
    mode: 'costs',
    minutes: 4,
    args: ['--rounds', '3', '--seconds', '1', '--warm', '1500'],
  },
  {
    mode: 'growth',
    minutes: 8,
    args: ['--rounds', '3', '--seconds', '1', '--warm', '1500', '--size', '1000000'],
  },
  { mode: 'clean-up', minutes: 3, args: ['--rounds', '3', '--size', '500000'] },
  { mode: 'replicas', minutes: 3, args: ['--rounds', '3', '--seconds', '1.5', '--warm', '2000'] },
  { mode: 'mcp', minutes: 2, args: ['--rounds', '3', '--seconds', '1.5', '--warm', '2000'] },
  { mode: 'telemetry', minutes: 3, args: ['--rounds', '3', '--seconds', '1.5', '--warm', '2000'] },
  // The heap limits below leave the heap no room to grow, so that a leak becomes visible.
  {
    mode: 'memory',
    minutes: 6,
    args: ['--size', '400000', '--node-args=--max-old-space-size=160 --max-semi-space-size=8'],
  },
]

const root = path.join(import.meta.dirname, '..')
/** The time in milliseconds that a mode has to stop its servers after its time limit. */
const GRACE = 30_000

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: path.join(root, 'bench/results') },
    minutes: { type: 'string', default: '56' },
    growth: { type: 'string' },
    'clean-up': { type: 'string' },
    memory: { type: 'string' },
    tiny: { type: 'boolean', default: false },
    out: { type: 'string', default: path.join(root, 'docs/performance/results.md') },
  },
})
/** Options for a short run that only checks that everything works. */
const tiny = ['--rounds', '1', '--seconds', '0.3', '--warm', '50']
const small = (size: string) => (values.tiny ? size : undefined)
/** Sizes from the command line or for a short run, which replace the sizes in the plan. */
const sizes: Partial<Record<Mode, string | undefined>> = {
  growth: values.growth ?? small('20000'),
  'clean-up': values['clean-up'] ?? small('300000'),
  memory: values.memory ?? small('1000'),
}

/**
 * Runs one mode, and stops the mode after its time limit. The output is written to `<mode>.md` and the
 * progress to `<mode>.log`, both in the results folder.
 */
function runMode(mode: Mode, args: string[], milliseconds: number): Promise<Result> {
  const file = path.join(values.results, `${mode}.md`)
  const out = fs.openSync(file, 'w')
  const log = fs.openSync(path.join(values.results, `${mode}.log`), 'w')
  const since = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/main.ts', mode, ...args], {
    cwd: root,
    stdio: ['ignore', out, log],
  })
  let stopped = false
  const ending = setTimeout(() => {
    stopped = true
    child.kill('SIGTERM')
  }, milliseconds)
  const killing = setTimeout(() => child.kill('SIGKILL'), milliseconds + GRACE)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      for (const timer of [ending, killing]) clearTimeout(timer)
      for (const each of [out, log]) fs.closeSync(each)
      const end = stopped ? 'stopped' : code === 0 ? 'good' : 'failed'
      console.log(`${mode}: ${end} after ${Math.round((performance.now() - since) / 1000)} s`)
      resolve({ mode, args, end, output: fs.readFileSync(file, 'utf8') })
    })
  })
}

fs.mkdirSync(values.results, { recursive: true })
/** The file with the costs for `npm run capacity`. */
const costs = path.join(path.dirname(values.out), 'costs.json')
const deadline = performance.now() + Number(values.minutes) * 60_000
const results: Result[] = []
for (const { mode, minutes, args } of plan) {
  const milliseconds = Math.min(minutes * 60_000, deadline - performance.now())
  const size = sizes[mode]
  const given = [
    ...[...args, ...(values.tiny ? tiny : []), ...(size ? ['--size', size] : [])],
    ...(mode === 'costs' ? ['--json', path.relative(root, costs)] : []),
  ]
  if (milliseconds > 0) results.push(await runMode(mode, given, milliseconds))
  else console.log(`${mode}: no time left`)
}
fs.writeFileSync(values.out, resultsPage(results))
// Update the pages with estimates that are based on the costs, unless the costs were written to another
// folder.
if (path.dirname(costs) === path.join(root, 'docs/performance')) {
  for (const page of pages.map((name) => path.join(root, name))) {
    fs.writeFileSync(page, updateCapacity(fs.readFileSync(page, 'utf8')))
  }
}
console.log(`${path.relative(process.cwd(), values.out)} is written`)
