import { Pool } from 'undici'
import type { Credential, Target } from '../targets/target'
import { type Lane, type Operation, operationSpec } from './operations'
import { percentile } from './statistics'

export type Measurement = {
  target: string
  operation: Operation
  requests: number
  rps: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of CPU a request, user and system: of the server's process, of PostgreSQL, of this driver. */
  cpu: { server: number; database: number; driver: number }
  failures: number
  firstFailure?: string
}

export type Load = {
  seconds: number
  concurrency: number
  /** Ends the measurement early. */
  requests?: number
  credentials: Credential[]
  /** CPU seconds of PostgreSQL so far. */
  databaseCpu: () => number
}

/**
 * Runs one operation against one target for a while, closed loop: each lane sends its next request when it has the
 * answer. A failure is counted, kept, and never retried.
 */
export async function measure(target: Target, operation: Operation, load: Load): Promise<Measurement> {
  const spec = operationSpec(operation)
  const { credentials, concurrency } = load
  if (spec.needs && credentials.length < (spec.use === 'lane' ? concurrency : 1)) {
    throw new Error(`${target.name} ${operation}: only ${credentials.length} credentials`)
  }
  let left = Math.min(
    load.requests ?? Number.POSITIVE_INFINITY,
    spec.use === 'once' ? credentials.length : Number.POSITIVE_INFINITY,
  )
  let cursor = 0
  const next = () => credentials[cursor++ % credentials.length] as Credential
  const lanes: Lane[] = Array.from({ length: concurrency }, (_, i) => ({
    next,
    own: spec.use === 'lane' ? (credentials[i] as Credential) : { value: '' },
  }))
  const pool = new Pool(target.base, { connections: concurrency, pipelining: 1, keepAliveTimeout: 60_000 })
  const build = spec.request(target)
  const took: number[] = []
  let failures = 0
  let firstFailure: string | undefined
  await openConnections(pool, target, concurrency)

  const before = readClocks(target, load)
  const deadline = performance.now() + load.seconds * 1000
  await Promise.all(
    lanes.map(async (lane) => {
      while (left-- > 0 && performance.now() < deadline && failures < 50) {
        const sent = performance.now()
        try {
          const answer = await pool.request(build(lane))
          const text = await answer.body.text()
          took.push(performance.now() - sent)
          if (answer.statusCode !== (spec.expects ?? 200)) throw new Error(`${answer.statusCode} ${text}`)
          spec.check?.(text, lane)
        } catch (error) {
          failures++
          firstFailure ??= String((error as Error).message).slice(0, 300)
          if (spec.use === 'lane') return // the chain is broken
        }
      }
    }),
  )
  const after = readClocks(target, load)
  // The chains go on in the next round.
  if (spec.use === 'lane') for (const [i, lane] of lanes.entries()) credentials[i] = lane.own
  await pool.close()

  const sorted = took.sort((a, b) => a - b)
  const perRequest = (clock: 'server' | 'database' | 'driver') =>
    ((after[clock] - before[clock]) * 1e6) / took.length
  return {
    target: target.name,
    operation,
    requests: took.length,
    rps: took.length / (after.wall - before.wall),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpu: { server: perRequest('server'), database: perRequest('database'), driver: perRequest('driver') },
    failures,
    firstFailure,
  }
}

const openConnections = (pool: Pool, target: Target, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      pool
        .request({ method: 'GET', path: target.paths.discovery ?? '/hello' })
        .then((answer) => answer.body.dump()),
    ),
  )

function readClocks(target: Target, load: Load) {
  const { user, system } = process.cpuUsage()
  return {
    wall: performance.now() / 1000,
    server: target.server.cpu(),
    database: load.databaseCpu(),
    driver: (user + system) / 1e6,
  }
}
