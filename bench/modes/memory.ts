import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../driver/measure'
import { memoryGoals } from '../goals'
import type { BenchDatabase } from '../machine/database'
import { type Operation, operationSpec } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { table } from '../table'
import { startLatchkey } from '../targets/latchkey'

/** Tokens are used more often than they are issued. */
const operationMix: { operation: Operation; share: number }[] = [
  { operation: 'userinfo-web', share: 0.4 },
  { operation: 'graphql-me', share: 0.5 },
  { operation: 'refresh-native', share: 0.1 },
]

const STEPS = 10
const AT_REST = 60_000

/** Measures the start time, the idle memory, and the memory after a million requests. */
export async function memory(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('memory')
  const first = await startLatchkey({ ...options, port: basePort, databaseUrl })
  await first.server.stop()
  // The second start has no migrations to apply, like almost all starts.
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    await sleep(5_000)
    const total = options.size ?? 1_000_000
    const rest = target.server.memory()
    console.log(`start to ready: ${Math.round(target.server.startedIn)} ms; at rest: ${mib(rest)}`)
    const credentials = new Map(
      await Promise.all(
        operationMix.map(async ({ operation }) => {
          const { needs = 'access', app } = operationSpec(operation)
          return [operation, await target.mint(needs, 64, app)] as const
        }),
      ),
    )
    console.log(`\n${table(['requests', 'resident memory'], [])}`)
    let failures = 0
    const steps: number[] = []
    for (let step = 1; step <= STEPS; step++) {
      for (const { operation, share } of operationMix) {
        const result = await measure(target, operation, {
          requests: Math.ceil((total / STEPS) * share),
          concurrency: options.concurrency,
          credentials: credentials.get(operation) ?? [],
          databaseCpu: database.cpu,
        })
        failures += result.failures
      }
      // Prints rows immediately, so that an interrupted run keeps its results.
      const resident = target.server.memory()
      steps.push(resident)
      console.log(row((total / STEPS) * step, resident))
    }
    await sleep(AT_REST)
    console.log(row('a minute later', target.server.memory()))
    console.log(`\n${memoryGoals(rest, steps)}`)
    return failures === 0
  } finally {
    await target.server.stop()
  }
}

const row = (when: number | string, memory: number) => `| ${when.toLocaleString('en-US')} | ${mib(memory)} |`
const mib = (value: number) => `${Math.round(value)} MiB`
