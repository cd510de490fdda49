import fs from 'node:fs'
import { alternate } from '../driver/alternate'
import { type Operation, operations } from '../driver/operations'
import { operationGoals } from '../goals'
import type { BenchDatabase } from '../machine/database'
import { basePort, type Options } from '../options'
import { describeMachine, type Round, reportOperation } from '../report'
import { startLatchkey } from '../targets/latchkey'
import type { StartTarget, Target } from '../targets/target'
import { installYardsticks, startYardstick, yardsticks } from '../targets/yardsticks'

/** Latchkey beside the yardsticks: for each operation alternating rounds, then a table. */
export async function compare(options: Options, database: BenchDatabase): Promise<boolean> {
  const starts: Record<string, StartTarget> = { latchkey: startLatchkey }
  for (const name of Object.keys(yardsticks)) starts[name] = startYardstick(name)
  const wanted = options.targets.length ? options.targets : Object.keys(starts)
  if (wanted.some((name) => name !== 'latchkey')) installYardsticks()

  console.log(describeMachine(database))
  const targets: Target[] = []
  try {
    for (const [i, name] of wanted.entries()) {
      const start = starts[name]
      if (!start) throw new Error(`"${name}" is no target; use ${Object.keys(starts).join(', ')}.`)
      const databaseUrl = await database.create(`bench_${name}`)
      targets.push(await start({ port: basePort + i, databaseUrl, nodeArgs: options.nodeArgs }))
      console.error(`${name} is up`)
    }
    const rounds: Round[] = []
    const selected = options.operations.length ? options.operations : (Object.keys(operations) as Operation[])
    for (const operation of selected) {
      const taking = targets.filter((target) => target.operations.includes(operation))
      const measured = await alternate(taking, operation, options, database)
      rounds.push(...measured)
      console.log(reportOperation(measured, 'latchkey'))
      const goals = operationGoals(measured, 'latchkey')
      if (goals) console.log(`\n${goals}`)
    }
    if (options.json) fs.writeFileSync(options.json, JSON.stringify(rounds, null, 1))
    return rounds.every((each) => each.failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
  }
}
