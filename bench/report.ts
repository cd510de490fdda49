import { cpus } from 'node:os'
import type { Measurement } from './driver/measure'
import { operationSpec } from './driver/operations'
import { median } from './driver/statistics'
import type { BenchDatabase } from './machine/database'
import { canPin } from './machine/pinning'
import { fraction, table, whole } from './table'

export type Round = Measurement & { round: number }

/** Where and how it was measured: the first lines of every report. */
export function describeMachine({ facts }: BenchDatabase): string {
  const [cpu] = cpus()
  const place = canPin ? 'server on cpu 0, driver and PostgreSQL on the rest' : 'not pinned'
  return [
    `${new Date().toISOString()}  ${cpu?.model}, ${cpus().length} cores (${place}), Node ${process.version}`,
    `PostgreSQL ${facts.version}, fsync ${facts.fsync}, synchronous_commit ${facts.synchronous_commit}, shared_buffers ${facts.shared_buffers}`,
  ].join('\n')
}

const ofTarget = (rounds: Round[], target: string) => rounds.filter((each) => each.target === target)
const names = (rounds: Round[]) => [...new Set(rounds.map((each) => each.target))]

/** One row for each target of an operation: medians over the rounds, with the least and the greatest throughput. */
function absoluteTable(rounds: Round[]): string {
  const rows = names(rounds).map((target) => {
    const mine = ofTarget(rounds, target)
    const of = (pick: (each: Round) => number) => median(mine.map(pick))
    const rps = mine.map((each) => each.rps)
    return [
      target,
      whole(median(rps)),
      `${whole(Math.min(...rps))}-${whole(Math.max(...rps))}`,
      fraction(of((each) => each.p50)),
      fraction(of((each) => each.p99)),
      whole(of((each) => each.cpu.server)),
      whole(of((each) => each.cpu.database)),
      mine.reduce((sum, each) => sum + each.failures, 0),
    ]
  })
  const head = ['target', 'rps', 'min-max', 'p50 ms', 'p99 ms', 'server us', 'database us', 'failures']
  return table(head, rows)
}

/**
 * How one target does against each of the others. Ratios are taken within a round, where both met the same machine, and
 * then the median of the rounds: above 1 the subject has the higher throughput, or needs less CPU.
 */
function ratioTable(rounds: Round[], subject: string): string {
  const mine = ofTarget(rounds, subject)
  const rows = names(rounds)
    .filter((target) => target !== subject)
    .map((target) => {
      const theirs = ofTarget(rounds, target)
      const ratios = (of: (us: Round, them: Round) => number) =>
        mine.flatMap((us) => theirs.filter((them) => them.round === us.round).map((them) => of(us, them)))
      const throughput = ratios((us, them) => us.rps / them.rps)
      const range = `${fraction(Math.min(...throughput))}-${fraction(Math.max(...throughput))}`
      const cpu = median(ratios((us, them) => them.cpu.server / us.cpu.server))
      return [target, fraction(median(throughput)), range, fraction(cpu)]
    })
  return table([`${subject} against`, 'throughput', 'min-max', 'server CPU'], rows)
}

/** Everything measured for one operation. */
export function reportOperation(rounds: Round[], subject: string): string {
  const operation = rounds[0]?.operation
  if (!operation) return ''
  const parts = [`\n### ${operation}\n${operationSpec(operation).title}\n`, absoluteTable(rounds)]
  if (names(rounds).length > 1 && names(rounds).includes(subject)) parts.push('', ratioTable(rounds, subject))
  const failed = rounds.find((each) => each.failures > 0)
  if (failed) parts.push('', `${failed.target} failed: ${failed.firstFailure}`)
  return parts.join('\n')
}
