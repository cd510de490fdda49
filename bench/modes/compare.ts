import fs from 'node:fs'
import { measure } from '../driver/measure'
import { type Operation, operationSpec, operations } from '../driver/operations'
import type { BenchDatabase } from '../machine/database'
import type { Options } from '../options'
import { describeMachine, type Round, reportOperation } from '../report'
import { startLatchkey } from '../targets/latchkey'
import type { Credential, StartTarget, Target } from '../targets/target'
import { installYardsticks, startYardstick, yardsticks } from '../targets/yardsticks'

const BASE_PORT = Number(process.env.BENCH_PORT ?? 4500)
const ACCESS_TOKENS = 64

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
      targets.push(await start({ port: BASE_PORT + i, databaseUrl, nodeArgs: options.nodeArgs }))
      console.error(`${name} is up`)
    }
    const rounds: Round[] = []
    const selected = options.operations.length ? options.operations : (Object.keys(operations) as Operation[])
    for (const operation of selected) {
      const taking = targets.filter((target) => target.operations.includes(operation))
      const measured = await alternate(taking, operation, options, database)
      rounds.push(...measured)
      console.log(reportOperation(measured, 'latchkey'))
    }
    if (options.json) fs.writeFileSync(options.json, JSON.stringify(rounds, null, 1))
    return rounds.every((each) => each.failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
  }
}

/** A warm-up that is not recorded, then rounds in which the targets take turns. */
async function alternate(
  targets: Target[],
  operation: Operation,
  { rounds, seconds, warm, concurrency }: Options,
  database: BenchDatabase,
): Promise<Round[]> {
  const { needs, use } = operationSpec(operation)
  const mint = async (target: Target): Promise<Credential[]> =>
    needs
      ? target.mint(needs, use === 'lane' ? concurrency : use === 'once' ? target.once : ACCESS_TOKENS)
      : []
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
        seconds: round < 0 ? warm : seconds,
      })
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
