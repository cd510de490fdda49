import type { BenchDatabase } from '../machine/database'
import type { Options } from '../options'
import type { Round } from '../report'
import type { Credential, Target } from '../targets/target'
import { measure } from './measure'
import { type Operation, operationSpec } from './operations'

const ACCESS_TOKENS = 64

/** A warm-up is counted in requests, because a busy machine serves few of them in a second. It ends after these seconds. */
const LONGEST_WARM_UP = 30

/** A warm-up that is not recorded, then rounds in which the targets take turns. */
export async function alternate(
  targets: Target[],
  operation: Operation,
  { rounds, seconds, warm, concurrency }: Options,
  database: BenchDatabase,
): Promise<Round[]> {
  const { needs, use } = operationSpec(operation)
  /** Twice what the last measurement lets expect, so that a faster one does not run out. */
  const expected = new Map<Target, number>()
  const mint = async (target: Target): Promise<Credential[]> => {
    if (!needs) return []
    const once = Math.min(target.once, expected.get(target) ?? warm)
    return target.mint(needs, use === 'lane' ? concurrency : use === 'once' ? once : ACCESS_TOKENS)
  }
  const heaps = new Map<Target, Credential[]>()
  const load = (target: Target) => ({
    concurrency,
    databaseCpu: database.cpu,
    credentials: heaps.get(target) ?? [],
  })
  const measured: Round[] = []
  for (let round = -1; round < rounds; round++) {
    for (const target of targets) {
      if (!heaps.has(target) || use === 'once') heaps.set(target, await mint(target))
      const result = await measure(target, operation, {
        ...load(target),
        ...(round < 0 ? { seconds: LONGEST_WARM_UP, requests: warm } : { seconds }),
      })
      expected.set(target, Math.ceil(result.rps * seconds * 2) + concurrency)
      const { rps, p50, p99, cpu, failures, firstFailure } = result
      console.error(
        `${operation} ${round < 0 ? 'warm-up' : `round ${round + 1}`} ${target.name}: ${Math.round(rps)} rps, p50 ${p50.toFixed(2)} p99 ${p99.toFixed(2)} ms,` +
          ` server ${Math.round(cpu.server)} database ${Math.round(cpu.database)} driver ${Math.round(cpu.driver)} us${failures ? `, ${failures} failures: ${firstFailure}` : ''}`,
      )
      if (round >= 0) measured.push({ ...result, round })
    }
  }
  return measured
}
