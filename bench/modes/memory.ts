import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure } from '../driver/measure'
import { bytesByPart, type HeapNode } from '../driver/profile-parts'
import { memoryGoals } from '../goals'
import type { BenchDatabase } from '../machine/database'
import { type Operation, operationSpec } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { fraction, table } from '../table'
import { startLatchkey } from '../targets/latchkey'

/** The mix of operations in the load. Tokens are used more often than they are issued. */
const operationMix: { operation: Operation; share: number }[] = [
  { operation: 'userinfo-web', share: 0.4 },
  { operation: 'graphql-me', share: 0.5 },
  { operation: 'refresh-native', share: 0.1 },
]

const STEPS = 10
const AT_REST = 60_000

/** The size in MiB below which parts are combined. */
const SMALLEST_PART = 2
/** The average number of bytes that are allocated between two heap samples. */
const SAMPLED = 32_768

/**
 * Measures the startup time, the memory at rest and its parts, and the memory during many requests. Without
 * `--size`, the mode sends a million requests.
 */
export async function memory(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('memory')
  console.log(await partsAtRest(options, databaseUrl))
  // The database is already migrated, so the startup time includes no migrations. This is the case for almost
  // every start of a server.
  const target = await startLatchkey({ ...options, port: basePort, databaseUrl })
  try {
    await sleep(5_000)
    const total = options.size ?? 1_000_000
    const rest = target.server.memory()
    console.log(`startup time: ${Math.round(target.server.startedIn)} ms; at rest: ${mib(rest)}`)
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
      // Print each row immediately, because an interrupted run would otherwise print no results.
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

/**
 * Measures the parts of the server's memory at rest. For this purpose, runs the server with V8's heap
 * profiler. The profiler itself uses memory, which is included in the results.
 * @returns a table of the parts
 */
async function partsAtRest(options: Options, databaseUrl: string): Promise<string> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-heap-'))
  const profiled = ['--heap-prof', `--heap-prof-dir=${dir}`, `--heap-prof-interval=${SAMPLED}`]
  const nodeArgs = [...options.nodeArgs, ...profiled]
  try {
    const { server } = await startLatchkey({ ...options, nodeArgs, port: basePort, databaseUrl })
    await sleep(5_000)
    const resident = server.memory()
    const files = mappedMiB(server.pid)
    await server.stop()
    const [written] = fs.readdirSync(dir)
    if (!written) throw new Error('Node did not write a heap profile.')
    const { head } = JSON.parse(fs.readFileSync(path.join(dir, written), 'utf8')) as { head: HeapNode }
    const heap = bytesByPart(head).map(([part, bytes]) => [part, bytes / 2 ** 20] as const)
    const used = heap.reduce((sum, [, size]) => sum + size, 0)
    const large = heap.filter(([, size]) => size >= SMALLEST_PART)
    const rest = used - large.reduce((sum, [, size]) => sum + size, 0)
    const rows = [
      ['programs and libraries mapped from disk, mostly Node', files],
      ...large.map(([part, size]) => [`objects and code: ${part}`, size] as const),
      ['objects and code: all others', rest],
      ['native memory: V8, WebAssembly, threads, free space of the heap', resident - files - used],
      ['all, with the profiler on', resident],
    ] as const
    return `### Memory at rest, by part\n\n${table(
      ['part', 'MiB'],
      rows.map(([part, size]) => [part, fraction(size, 0)]),
    )}\n`
  } finally {
    fs.rmSync(dir, { recursive: true, force: true })
  }
}

/** Returns the size of the resident pages of mapped files, in MiB. */
const mappedMiB = (pid: number): number =>
  Number(/^RssFile:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const row = (when: number | string, memory: number) => `| ${when.toLocaleString('en-US')} | ${mib(memory)} |`
const mib = (value: number) => `${Math.round(value)} MiB`
