import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../driver/measure'
import type { Operation } from '../driver/operations'
import type { BenchDatabase } from '../machine/database'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { CredentialKind } from '../targets/target'

const mix: { operation: Operation; kind: CredentialKind; count: number }[] = [
  { operation: 'userinfo', kind: 'access', count: 64 },
  { operation: 'graphql', kind: 'access', count: 64 },
  { operation: 'refresh', kind: 'refresh', count: 16 },
]

const STEPS = 10

/** Start time, memory at rest, and whether a million requests leave anything behind. */
export async function memory(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('memory')
  const first = await startLatchkey({ ...options, port: basePort, databaseUrl })
  await first.server.stop()
  // The second start is one that finds everything migrated, as all starts but one do.
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    await sleep(5_000)
    const total = options.size ?? 1_000_000
    console.log(
      `start to ready: ${Math.round(target.server.startedIn)} ms; at rest: ${mib(target.server.memory())}`,
    )
    const credentials = new Map(
      await Promise.all(
        mix.map(async ({ operation, kind, count }) => [operation, await target.mint(kind, count)] as const),
      ),
    )
    const rows: (string | number)[][] = []
    let failures = 0
    for (let step = 1; step <= STEPS; step++) {
      for (const { operation } of mix) {
        const result = await measure(target, operation, {
          seconds: 3_600,
          requests: Math.ceil(total / STEPS / mix.length),
          concurrency: options.concurrency,
          credentials: credentials.get(operation) ?? [],
          databaseCpu: database.cpu,
        })
        failures += result.failures
      }
      rows.push([((total / STEPS) * step).toLocaleString('en-US'), mib(target.server.memory())])
      console.error(rows.at(-1)?.join(': '))
    }
    await sleep(60_000)
    rows.push(['a minute later', mib(target.server.memory())])
    console.log(table(['requests', 'resident memory'], rows))
    return failures === 0
  } finally {
    await target.server.stop()
  }
}

const mib = (value: number) => `${Math.round(value)} MiB`
