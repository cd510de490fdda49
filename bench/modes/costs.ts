import fs from 'node:fs'
import { measure } from '../driver/measure'
import { median } from '../driver/statistics'
import { signInGoals } from '../goals'
import { type Costs, type OperationCosts, operationTable, signInTable } from '../machine/costs-file'
import { type BenchDatabase, query } from '../machine/database'
import { written } from '../machine/written'
import { type Operation, operationSpec } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { startLatchkey } from '../targets/latchkey'
import type { Target } from '../targets/target'
import { measureSignIn } from './sign-in-costs'

/** The default operations. `npm run capacity` estimates a platform's capacity from their costs. */
const estimated: Operation[] = [
  'refresh-native',
  'refresh-web',
  'refresh-web-kept',
  'code-native',
  'userinfo-native',
  'introspect-web',
  'graphql-me',
  'graphql-page',
]

/**
 * Measures and prints the CPU, write-ahead log, and disk space of one request of each operation and of a
 * first sign-in. For the sign-in, also measures the CPU and the statements of each step. With --json, writes
 * the costs to a file for `npm run capacity`: `npm run bench -- costs --json docs/performance/costs.json`.
 */
export async function costs(options: Options, database: BenchDatabase): Promise<boolean> {
  const head = describeMachine(database)
  console.log(head)
  const [machine = '', postgres = ''] = head.split('\n')
  const operations = await measureOperations(options, database)
  console.log(`\n### One request\n\n${operationTable(operations)}`)
  const { signIn, passwordHash } = await measureSignIn(options, database)
  console.log(`\n### A first sign-in\n\n${signInTable(signIn)}\n\n${signInGoals(signIn, passwordHash)}`)
  const made: Costs = { machine, database: postgres, operations, signIn }
  if (options.json) fs.writeFileSync(options.json, `${JSON.stringify(made, undefined, 2)}\n`)
  return true
}

async function measureOperations(options: Options, database: BenchDatabase): Promise<Costs['operations']> {
  const databaseUrl = await database.create('costs')
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    const measured: Costs['operations'] = {}
    for (const operation of options.operations.length ? options.operations : estimated) {
      measured[operation] = await measureOperation(target, operation, options, database, databaseUrl)
    }
    return measured
  } finally {
    await target.server.stop()
  }
}

/**
 * Measures an operation in several rounds.
 * @returns the median cost of one request
 * @throws Error if a request failed, because the cost of a failure is meaningless
 */
async function measureOperation(
  target: Target,
  operation: Operation,
  { rounds, seconds, warm, concurrency }: Options,
  database: BenchDatabase,
  databaseUrl: string,
): Promise<OperationCosts> {
  const { needs, use, app } = operationSpec(operation)
  const most = (wanted: number) => Math.ceil(use === 'once' ? Math.min(wanted, target.once) : wanted)
  let credentials = needs && use !== 'once' ? await target.mint(needs, Math.max(concurrency, 64), app) : []
  const run = async (wanted: number) => {
    const requests = most(Math.max(concurrency, wanted))
    if (needs && use === 'once') credentials = await target.mint(needs, requests, app)
    const before = await written(databaseUrl)
    const result = await measure(target, operation, {
      requests,
      concurrency,
      credentials,
      databaseCpu: database.cpu,
    })
    const { log } = await written(databaseUrl)
    // Vacuum the tables, so that new rows reuse the space of deleted rows. In production, autovacuum has the
    // same effect.
    await query(databaseUrl, 'VACUUM')
    const { stored } = await written(databaseUrl)
    if (result.failures > 0) throw new Error(`${operation}: ${result.firstFailure}`)
    const each = (grown: number) => Math.max(0, grown) / result.requests
    console.error(`${operation}: ${Math.round(result.rps)} rps`)
    return {
      ...{ ...result.cpu, rps: result.rps },
      ...{ log: each(log - before.log), stored: each(stored - before.stored) },
    }
  }
  let { rps } = await run(warm)
  const measured: Awaited<ReturnType<typeof run>>[] = []
  for (let round = 0; round < rounds; round++) {
    measured.push(await run(rps * seconds))
    rps = measured.at(-1)?.rps ?? rps
  }
  const of = (what: keyof OperationCosts) => Math.round(median(measured.map((each) => each[what])))
  return { server: of('server'), database: of('database'), log: of('log'), stored: of('stored') }
}
