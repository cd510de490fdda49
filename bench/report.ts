import { cpus } from 'node:os'
import type { Measurement } from './driver/measure'
import { median } from './driver/statistics'
import type { BenchDatabase } from './machine/database'
import { canPin } from './machine/pinning'
import { operationSpec } from './operations/operations'
import { fraction, table, whole } from './table'

export type Round = Measurement & { round: number }

/** Returns the first lines of every report, which describe the machine and the database. */
export function describeMachine({ facts }: BenchDatabase): string {
  const [cpu] = cpus()
  const place = canPin ? 'server on CPU 0, driver and PostgreSQL on the others' : 'not pinned'
  return [
    `${new Date().toISOString()}  ${cpu?.model}, ${cpus().length} cores (${place}), Node ${process.version}`,
    `PostgreSQL ${facts.version}, fsync ${facts.fsync}, synchronous_commit ${facts.synchronous_commit}, shared_buffers ${facts.shared_buffers}`,
  ].join('\n')
}

const ofTarget = (rounds: Round[], target: string) => rounds.filter((each) => each.target === target)
const names = (rounds: Round[]) => [...new Set(rounds.map((each) => each.target))]

/** Returns the CPU per request of server and database together. */
export const bothSides = ({ cpu }: Measurement): number => cpu.server + cpu.database

/**
 * Compares a subject with another target within each round, and returns the median ratios over the rounds. A
 * `cpu` above 1 means that the subject needs less CPU. A `throughput` above 1 means that the subject has the
 * higher throughput.
 */
export function ratios(
  rounds: Round[],
  subject: string,
  other: string,
  cost: (each: Round) => number = bothSides,
): { cpu: number; throughput: number } {
  const pairs = ofTarget(rounds, subject).flatMap((us) =>
    ofTarget(rounds, other)
      .filter((them) => them.round === us.round)
      .map((them) => ({ us, them })),
  )
  return {
    cpu: median(pairs.map(({ us, them }) => cost(them) / cost(us))),
    throughput: median(pairs.map(({ us, them }) => us.rps / them.rps)),
  }
}

/**
 * Returns a table that compares this build's server CPU per request with that of another commit. A ratio
 * above 1 means that this build needs more CPU.
 */
export function commitTable(rounds: Round[], other: string): string {
  const rows = [...new Set(rounds.map(({ operation }) => operation))].map((operation) => {
    const mine = rounds.filter((each) => each.operation === operation)
    const cpu = (target: string) => ofTarget(mine, target).map((each) => each.cpu.server)
    const [before, now] = [cpu(other), cpu('latchkey')]
    const each = now.map((value, round) => value / (before[round] ?? Number.NaN))
    const range = `${fraction(Math.min(...each))}-${fraction(Math.max(...each))}`
    return [operation, whole(median(before)), whole(median(now)), fraction(median(each)), range]
  })
  return table(['operation', `${other} us`, 'now us', 'now / before', 'min-max'], rows)
}

/**
 * Returns a table of one operation with a row for each target. A row contains medians over the rounds and the
 * number of failures. The rows of targets other than the subject also contain the subject's `ratios` compared
 * with the target.
 */
function resultTable(rounds: Round[], subject: string): string {
  const rows = names(rounds).map((target) => {
    const mine = ofTarget(rounds, target)
    const of = (pick: (each: Round) => number) => median(mine.map(pick))
    const rps = mine.map((each) => each.rps)
    const against = target === subject ? undefined : ratios(rounds, subject, target)
    return [
      target,
      whole(median(rps)),
      `${whole(Math.min(...rps))}-${whole(Math.max(...rps))}`,
      fraction(of((each) => each.p50)),
      fraction(of((each) => each.p99)),
      whole(of((each) => each.cpu.server)),
      whole(of((each) => each.cpu.database)),
      whole(of(bothSides)),
      mine.reduce((sum, each) => sum + each.failures, 0),
      ...[against?.cpu, against?.throughput].map((ratio) => (ratio === undefined ? '' : fraction(ratio))),
    ]
  })
  const costs = ['server us', 'database us', 'both us']
  const head = ['target', 'rps', 'min-max', 'p50 ms', 'p99 ms', ...costs, 'failures', 'x CPU', 'x rps']
  return table(head, rows)
}

/**
 * Returns the report of one operation, or an empty string if there are no rounds.
 * @param absent the targets that cannot run the operation, each with the reason
 */
export function reportOperation(rounds: Round[], subject: string, absent: [string, string][] = []): string {
  const operation = rounds[0]?.operation
  if (!operation) return ''
  const parts = [`\n### ${operation}\n${operationSpec(operation).title}\n`, resultTable(rounds, subject)]
  for (const [target, why] of absent) parts.push('', `Without ${target}: ${why}.`)
  const failed = rounds.find((each) => each.failures > 0)
  if (failed) parts.push('', `${failed.target} failed: ${failed.firstFailure}`)
  return parts.join('\n')
}
