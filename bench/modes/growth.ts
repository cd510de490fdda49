import { alternate } from '../driver/alternate'
import { median } from '../driver/statistics'
import { type BenchDatabase, query } from '../machine/database'
import { fill, type Size } from '../mint/fill'
import type { Operation } from '../operations/operations'
import { basePort, type Options } from '../options'
import { bothSides, describeMachine, type Round, reportOperation } from '../report'
import { table } from '../table'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'
import { cleanUpOf } from './growth-clean-up'

/**
 * Returns the sizes of the three databases. The largest database gets up to 100,000 additional users and
 * 1,000,000 additional projects.
 * @param largest the number of additional tokens in the largest database
 */
const sizes = (largest: number): Size[] => [
  { name: 'thousand', tokens: 1_000, users: 0, projects: 0 },
  { name: 'hundred-thousand', tokens: 100_000, users: 5_000, projects: 50_000 },
  {
    name: 'largest',
    tokens: largest,
    users: Math.min(100_000, Math.ceil(largest / 20)),
    projects: Math.min(1_000_000, Math.ceil(largest / 2)),
  },
]

const measured: Operation[] = [
  'refresh-web',
  'refresh-native',
  'code-web',
  'code-native',
  'userinfo-web',
  'introspect-web',
  'graphql-me',
  'graphql-members',
  'device-web',
]

/**
 * Measures the same operations on a small, a medium, and a large database in alternating rounds. Then
 * measures the cleanup jobs on each database.
 * @returns false if a request failed
 */
export async function growth(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const targets: Target[] = []
  const databases: { name: string; databaseUrl: string }[] = []
  try {
    for (const [i, size] of sizes(options.size ?? 2_000_000).entries()) {
      const databaseUrl = await database.create(`growth_${i}`)
      const target = await startLatchkey({ ...options, port: basePort + i, databaseUrl, name: size.name })
      targets.push(target)
      databases.push({ name: size.name, databaseUrl })
      await target.mint('refresh', 1, 'native')
      const since = performance.now()
      await fill(databaseUrl, database, size)
      const [row] = await query<{ size: string }>(
        databaseUrl,
        'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
      )
      const seconds = ((performance.now() - since) / 1000).toFixed(0)
      console.log(
        `${size.name}: ${size.tokens} tokens, ${size.users} additional users, ${size.projects} projects; ${row?.size}, filled in ${seconds} s`,
      )
    }
    const rounds: Round[] = []
    for (const operation of options.operations.length ? options.operations : measured) {
      const taken = await alternate(targets, operation, options, database)
      rounds.push(...taken)
      console.log(reportOperation(taken, 'largest'))
    }
    console.log(`\n${summary(rounds)}`)
    // Stop the servers, because their background jobs would affect the measurement of the cleanup jobs.
    await Promise.all(targets.splice(0).map((target) => target.server.stop()))
    console.log(`\n### Clean-up\n\n${await cleanUpOf(database, databases)}`)
    return rounds.every((each) => each.failures === 0)
  } finally {
    await Promise.all(targets.map((target) => target.server.stop()))
  }
}

/**
 * Returns a table of the CPU that the server and the database together need per request. The values are
 * relative to the CPU needed with the smallest database in the same round. Each value is the median over the
 * rounds.
 */
function summary(rounds: Round[]): string {
  const rows = [...new Set(rounds.map((each) => each.operation))].map((operation) => {
    const of = (target: string) =>
      rounds.filter((each) => each.operation === operation && each.target === target)
    const ratio = (target: string) =>
      median(of(target).map((each, i) => bothSides(each) / bothSides(of('thousand')[i] as Round))).toFixed(2)
    return [operation, '1.00', ratio('hundred-thousand'), ratio('largest')]
  })
  return table(
    ['cost per request (CPU of server and database)', 'thousand', 'hundred-thousand', 'largest'],
    rows,
  )
}
