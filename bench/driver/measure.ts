import autocannon from 'autocannon'
import type { Credential, Lane, OperationSpec } from '../operations/operation'
import { type Operation, operationSpec } from '../operations/operations'
import type { Target } from '../targets/target'
import { percentile } from './statistics'

export type Measurement = {
  target: string
  operation: Operation
  requests: number
  rps: number
  /** The median response time in milliseconds. */
  p50: number
  p99: number
  /**
   * The CPU time per request in microseconds (user and system) of the server, PostgreSQL, and this driver.
   */
  cpu: { server: number; database: number; driver: number }
  failures: number
  firstFailure?: string
}

export type Load = {
  /**
   * The total number of requests. If each request uses up a credential, no more requests are sent than there
   * are credentials.
   */
  requests: number
  concurrency: number
  credentials: Credential[]
  /** Returns the CPU time that PostgreSQL has used so far, in seconds. */
  databaseCpu: () => number
}

/**
 * The number of wrong responses, or of requests without a response, that ends a measurement. A measurement
 * with chained requests ends after the first wrong response.
 */
const MOST_FAILURES = 50

/** The interval in milliseconds at which autocannon checks whether all requests have finished. */
const LOOKS_EVERY = 20

/** The properties of a target that a measurement uses. */
export type Measured = Pick<Target, 'name' | 'base' | 'redirectUri' | 'paths' | 'clients' | 'server'>

/**
 * Measures one operation on one target in a closed loop: each connection sends a request only after the
 * response to the previous request. Counts failed requests, including requests without a response, and does
 * not retry them.
 * @throws Error if there is no request to send or there are too few credentials
 */
export async function measure(target: Measured, operation: Operation, load: Load): Promise<Measurement> {
  const spec = operationSpec(operation)
  const { credentials } = load
  const requests = spec.use === 'once' ? Math.min(load.requests, credentials.length) : load.requests
  const connections = Math.min(load.concurrency, requests)
  if (requests < 1 || (spec.needs && credentials.length < (spec.use === 'lane' ? connections : 1))) {
    throw new Error(`${target.name} ${operation}: only ${credentials.length} credentials`)
  }
  let cursor = 0
  const next = () => credentials[cursor++ % credentials.length] as Credential
  const lanes: Lane[] = Array.from({ length: connections }, (_, i) => ({
    next,
    own: spec.use === 'lane' ? (credentials[i] as Credential) : { value: '' },
  }))

  const before = readClocks(target, load)
  const { took, sent, ended, refused, firstFailure } = await send(target, spec, lanes, requests)
  const after = readClocks(target, load)
  // Store the newest credentials, so that the next run continues the chains.
  if (spec.use === 'lane') for (const [i, lane] of lanes.entries()) credentials[i] = lane.own

  const sorted = Float64Array.from(took).sort()
  const perRequest = (clock: 'server' | 'database' | 'driver') =>
    ((after[clock] - before[clock]) * 1e6) / took.length
  return {
    target: target.name,
    operation,
    requests: took.length,
    rps: took.length / (ended - before.wall),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpu: { server: perRequest('server'), database: perRequest('database'), driver: perRequest('driver') },
    failures: refused + sent - took.length,
    firstFailure,
  }
}

/**
 * Sends the requests until all have been answered or too many have failed. Each lane is one autocannon
 * connection. In a chained operation, a lane's request uses the credential from the lane's previous response.
 */
async function send(target: Measured, spec: OperationSpec, lanes: Lane[], requests: number) {
  const client = target.clients[spec.app] ?? { id: '', secret: '' }
  const place = { client, path: target.paths[spec.path] ?? '/', redirectUri: target.redirectUri }
  const build = spec.request(place)
  const waiting = [...lanes]
  const took: number[] = []
  let sent = 0
  let ended = 0
  let refused = 0
  let firstFailure: string | undefined
  const judge = (lane: Lane, status: number, text: string) => {
    try {
      if (status !== (spec.expects ?? 200)) throw new Error(`${status} ${text}`)
      spec.check?.(text, lane)
    } catch (error) {
      refused++
      firstFailure ??= (error as Error).message.slice(0, 300)
    }
  }
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      {
        ...{ url: target.base, connections: lanes.length, amount: requests, bailout: MOST_FAILURES },
        ...{ timeout: 30, sampleInt: LOOKS_EVERY, skipAggregateResult: true },
        setupClient: (connection) => {
          const lane = waiting.shift() as Lane
          connection.setRequests([
            {
              setupRequest: (defaults) => {
                sent++
                return { ...defaults, ...build(lane) }
              },
              onResponse: (status, body) => judge(lane, status, body),
            },
          ])
        },
      },
      (error) => (error ? reject(error) : resolve()),
    )
    run.on('reqError', (error) => {
      firstFailure ??= String(error)
    })
    run.on('response', (_connection, _status, _bytes, milliseconds) => {
      took.push(milliseconds)
      ended = performance.now() / 1000
      if (refused >= (spec.use === 'lane' ? 1 : MOST_FAILURES)) run.stop()
    })
  })
  return { took, sent, ended, refused, firstFailure }
}

function readClocks(target: Measured, load: Load) {
  const { user, system } = process.cpuUsage()
  return {
    wall: performance.now() / 1000,
    server: target.server.cpu(),
    database: load.databaseCpu(),
    driver: (user + system) / 1e6,
  }
}
