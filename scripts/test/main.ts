import { drift } from './drift'
import { lint, types } from './lint'
import { buildAhead, e2e, vitest } from './suites'
import { add, type Tally } from './tally'

const stages = {
  lint,
  types,
  drift,
  unit: vitest('unit'),
  integration: vitest('integration'),
  e2e,
}

type Stage = keyof typeof stages

/**
 * The results of all stages. The results are printed again at the end, when the output of an early failure
 * might have scrolled out of view.
 */
const summary: string[] = []

/** Runs one stage. An error counts as a failure and does not prevent later stages. */
async function runStage(name: Stage): Promise<Tally> {
  const since = performance.now()
  console.log(`\n=== ${name}`)
  const tally = await stages[name]().catch((error): Tally => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  const skipped = tally.skipped ? `, ${tally.skipped} skipped` : ''
  const line = `${name}: ${tally.passed} passed, ${tally.failed} failed${skipped} (${seconds} s)`
  console.log(`=== ${line}`)
  summary.push(line, ...(tally.lines ?? []).map((test) => `  ${test}`))
  return tally
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in stages))
if (unknown.length > 0) {
  console.error(`Unknown stage: ${unknown.join(', ')}. Available stages: ${Object.keys(stages).join(', ')}.`)
  process.exit(2)
}

let total: Tally = { passed: 0, failed: 0 }
const chosen = (Object.keys(stages) as Stage[]).filter((name) => asked.length === 0 || asked.includes(name))
for (const name of chosen) {
  total = add(total, await runStage(name))
  // The type checker also reads files that a build writes, so the build starts after that stage.
  if (name === 'types' && chosen.includes('e2e')) buildAhead()
}
console.log(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
