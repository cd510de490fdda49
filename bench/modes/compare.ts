import fs from 'node:fs'
import { alternate } from '../driver/alternate'
import { operationGoals } from '../goals'
import type { BenchDatabase } from '../machine/database'
import { type Operation, operationNames } from '../operations/operations'
import { basePort, type Options } from '../options'
import { commitTable, describeMachine, type Round, reportOperation } from '../report'
import { startLatchkey } from '../targets/latchkey'
import { buildCommit } from '../targets/other-commit'
import { type StartTarget, type Target, takesPart } from '../targets/target'
import { installYardsticks, startYardstick, yardsticks } from '../targets/yardsticks'

/**
 * Compares the selected targets (by default Latchkey and the yardsticks), or Latchkey with another commit.
 * Measures each operation in alternating rounds, and prints tables. With --json, also writes the measurements
 * to a file.
 * @returns false if a request failed
 */
export async function compare(options: Options, database: BenchDatabase): Promise<boolean> {
  const starts: Record<string, StartTarget> = { latchkey: startLatchkey }
  for (const name of Object.keys(yardsticks)) starts[name] = startYardstick(name)
  const other = options.against === undefined ? undefined : buildCommit(options.against)
  if (other) starts[other.name] = (place) => startLatchkey({ ...place, ...other })
  const wanted = other
    ? ['latchkey', other.name]
    : options.targets.length
      ? options.targets
      : Object.keys(starts)
  if (wanted.some((name) => name in yardsticks)) installYardsticks()

  console.log(describeMachine(database))
  const targets: Target[] = []
  try {
    for (const [i, name] of wanted.entries()) {
      const start = starts[name]
      if (!start)
        throw new Error(`There is no target "${name}". Available targets: ${Object.keys(starts).join(', ')}.`)
      const databaseUrl = await database.create(`bench_${i}`)
      targets.push(await start({ port: basePort + i, databaseUrl, nodeArgs: options.nodeArgs }))
      console.error(`${name} is up`)
    }
    const rounds: Round[] = []
    for (const operation of options.operations.length ? options.operations : operationNames) {
      const taking = targets.filter((target) => takesPart(target, operation))
      if (taking.length === 0) continue
      const measured = await alternate(taking, operation, options, database)
      rounds.push(...measured)
      console.log(reportOperation(measured, 'latchkey', absentees(targets, operation)))
      const goals = operationGoals(measured, 'latchkey')
      if (goals) console.log(`\n${goals}`)
    }
    if (other) console.log(`\n### Server CPU per request\n\n${commitTable(rounds, other.name)}`)
    if (options.json) fs.writeFileSync(options.json, JSON.stringify(rounds, null, 1))
    return rounds.every((each) => each.failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
  }
}

/** Returns the names of the targets that list an operation in `cannot`, each with the reason. */
const absentees = (targets: Target[], operation: Operation): [string, string][] => [
  ...new Map(
    targets.flatMap(({ name, cannot }) => {
      const why = cannot[operation]
      return why ? [[name, why] as [string, string]] : []
    }),
  ),
]
