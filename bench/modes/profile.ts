import { measure } from '../driver/measure'
import { layers, shareByLayer } from '../driver/profile-layers'
import { shareByPart } from '../driver/profile-parts'
import type { BenchDatabase } from '../machine/database'
import { openProfiler, type Profiler } from '../machine/profiler'
import type { Credential } from '../operations/operation'
import { type Operation, operationSpec } from '../operations/operations'
import { basePort, type Options } from '../options'
import { describeMachine } from '../report'
import { fraction, table, whole } from '../table'
import { startLatchkey } from '../targets/latchkey'
import { openConsent, type Page } from '../targets/open-consent'
import type { Target } from '../targets/target'
import { prepareStep } from './sign-in-costs'

const INSPECTOR = basePort + 50
const VISITS = 300
/** The share below which parts are combined. */
const SMALLEST_SHARE = 0.02

const measured: Operation[] = [
  'refresh-web',
  'refresh-web-kept',
  'refresh-native',
  'code-web',
  'code-native',
  'userinfo-web',
  'introspect-web',
  'graphql-me',
  'graphql-page',
  'graphql-fragments',
  'graphql-members',
  'graphql-mutation',
  'device-web',
  'discovery',
  'jwks',
]

/**
 * Prints a CPU profile by package and folder for each operation, and a table of the operations by layer. If
 * no operations are selected, also prints profiles of pages and of steps of a first sign-in.
 */
export async function profile(options: Options, database: BenchDatabase): Promise<boolean> {
  console.log(describeMachine(database))
  const databaseUrl = await database.create('profile')
  const target = await startLatchkey({
    port: basePort,
    databaseUrl,
    env: { TRUST_PROXY: '1' },
    nodeArgs: [...options.nodeArgs, `--inspect=127.0.0.1:${INSPECTOR}`],
  })
  const profiler = await openProfiler(INSPECTOR)
  const byLayer: string[][] = []
  try {
    for (const operation of options.operations.length ? options.operations : measured) {
      const { needs, use, app } = operationSpec(operation)
      const run = async (requests: number) => {
        const count = use === 'once' ? Math.min(requests, target.once) : 64
        const credentials: Credential[] = needs ? await target.mint(needs, count, app) : []
        const load = { requests, credentials, concurrency: options.concurrency }
        return () => measure(target, operation, { ...load, databaseCpu: database.cpu })
      }
      const { rps } = await (await run(options.warm))()
      const work = await run(Math.ceil(rps * options.seconds * 2))
      byLayer.push(await report(operation, profiler, async () => (await work()).cpu.server))
    }
    console.log(
      `\n### Where a request spends its time, in us with the profiler on\n\n${table(['operation', 'all', ...layers], byLayer)}`,
    )
    if (options.operations.length) return true
    for (const page of [{ name: 'sign-in', path: '/login', cookie: '' }, await openConsent(target)]) {
      await visit(target, page)
      await report(`${page.name} page`, profiler, () => visit(target, page))
    }
    for (const step of ['password sent (argon2)', 'authorization request, signed in', 'consent sent']) {
      await report(step, profiler, await prepareStep(target, databaseUrl, step))
    }
    return true
  } finally {
    profiler.close()
    await target.server.stop()
  }
}

/** Visits a page repeatedly. @returns the server's CPU time per visit, in microseconds */
async function visit(
  { base, server }: Target,
  { path, cookie }: Pick<Page, 'path' | 'cookie'>,
): Promise<number> {
  const before = server.cpu()
  for (let i = 0; i < VISITS; i++) {
    await fetch(base + path, { headers: { cookie, accept: 'text/html' } }).then((answer) =>
      answer.arrayBuffer(),
    )
  }
  return ((server.cpu() - before) / VISITS) * 1e6
}

/**
 * Profiles `work` and prints a table of the server's CPU time by part.
 * @param work returns the server's CPU time per request, in microseconds
 * @returns the row for the table by layer
 */
async function report(name: string, profiler: Profiler, work: () => Promise<number>): Promise<string[]> {
  await profiler.start()
  const cpu = await work()
  const taken = await profiler.stop()
  const shares = shareByPart(taken)
  const shown = shares.filter(([, share]) => share >= SMALLEST_SHARE)
  const rest = shares.reduce((sum, [, share]) => sum + (share < SMALLEST_SHARE ? share : 0), 0)
  const rows = [...shown, ['all others', rest] as [string, number]].map(([part, share]) => [
    part,
    `${fraction(share * 100, 0)} %`,
    whole(share * cpu),
  ])
  console.log(
    `\n### ${name}: ${whole(cpu)} us with the profiler on\n\n${table(['part', 'share', 'us'], rows)}`,
  )
  const byLayer = shareByLayer(taken)
  return [name, whole(cpu), ...layers.map((layer) => whole(byLayer[layer] * cpu))]
}
