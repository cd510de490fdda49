import type { BenchDatabase } from '../machine/database'
import type { Credential } from '../operations/operation'
import { type Operation, operationSpec } from '../operations/operations'
import type { Options } from '../options'
import type { Round } from '../report'
import type { Target } from '../targets/target'
import { type Measurement, measure } from './measure'

const ACCESS_TOKENS = 64

/** The maximum number of requests that are sent before the warm-up to estimate a target's speed. */
const FIRST_REQUESTS = 200

/**
 * The approximate maximum duration of the warm-up, in seconds. `--warm` is a number of requests, and sending
 * that many can take much longer on a busy machine. The limit does not apply to operations that use each
 * credential once.
 */
const LONGEST_WARM_UP = 6

/**
 * Warms the targets up, and then measures all targets in each round. In a round, a target receives as many
 * requests as it is expected to serve in `options.seconds`, but at least one per connection. If the operation
 * uses each credential once, the target receives at most `target.once` requests.
 */
export async function alternate(
  targets: Target[],
  operation: Operation,
  options: Options,
  database: BenchDatabase,
): Promise<Round[]> {
  const { needs, use } = operationSpec(operation)
  const { rounds, seconds, warm, concurrency } = options
  const heaps = new Map<Target, Credential[]>()
  const run = async (target: Target, name: string, wanted: number) => {
    const requests = Math.ceil(use === 'once' ? Math.min(wanted, target.once) : wanted)
    if (needs && (use === 'once' || !heaps.has(target))) {
      const count = use === 'lane' ? concurrency : use === 'once' ? requests : ACCESS_TOKENS
      heaps.set(target, await target.mint(needs, count, operationSpec(operation).app))
    }
    const credentials = heaps.get(target) ?? []
    const result = await measure(target, operation, {
      ...{ requests, concurrency, credentials, databaseCpu: database.cpu },
    })
    // After a failure, the stored tokens might be invalid, so the next run creates new ones.
    if (result.failures > 0) heaps.delete(target)
    console.error(`${operation} ${name} ${describe(result)}`)
    return result
  }
  const paces = new Map<Target, number>()
  for (const target of targets) {
    let requests = warm
    if (use !== 'once') {
      const first = await run(target, 'first', Math.min(warm, FIRST_REQUESTS))
      requests = Math.min(warm, Math.max(FIRST_REQUESTS, first.rps * LONGEST_WARM_UP))
    }
    paces.set(target, (await run(target, 'warm-up', requests)).rps)
  }
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    // Every other round runs in reverse order, so that no target always runs first.
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      const requests = Math.max(concurrency, (paces.get(target) || 0) * seconds)
      const result = await run(target, `round ${round + 1}`, requests)
      paces.set(target, result.rps)
      measured.push({ ...result, round })
    }
  }
  return measured
}

const describe = ({ target, rps, p50, p99, cpu, failures, firstFailure }: Measurement) =>
  `${target}: ${Math.round(rps)} rps, p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms, server ${Math.round(cpu.server)}` +
  ` database ${Math.round(cpu.database)} driver ${Math.round(cpu.driver)} us` +
  (failures ? `, ${failures} failures: ${firstFailure}` : '')
