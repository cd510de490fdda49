import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type pg from 'pg'
import { answerMs } from '@/lib/base/db/check-connection'
import { missingMigrations } from '@/lib/base/db/migrate'
import { pool, tokenPool } from '@/lib/base/db/pool'
import { answerWith } from '@/lib/base/http/answers'
import { readQueues } from '@/lib/base/jobs/insert-jobs'
import { log } from '@/lib/base/log/log'
import { isShuttingDown, onShutdown, repeat, withTimeout } from '@/lib/base/process/background'
import { releaseName } from '@/lib/base/process/release'
import type { Reading, Source } from '@/lib/base/telemetry/metrics'
import * as metrics from '@/lib/base/telemetry/metrics'
import { isUsedTableMissing, usedTable } from '@/lib/features/apps/authorizations/used-tables'
import { forgetReplica, noteReplica } from '@/lib/features/instance-admin/replicas'
import { migrationNames } from '@/lib/generated/migration-names'
import { backgroundProblem } from './jobs'

/**
 * Handles GET /healthz: always 200. A platform restarts the server if this request fails. The function does
 * not query the database, because a restart would not fix a database outage.
 */
export const answerHealthz = (): Response => answerWith(200, { status: 'ok' })

/**
 * Returns why this process should not receive requests, or undefined if it should. If the database query
 * fails or takes too long, also logs the error.
 */
async function whyNotReady(): Promise<{ reason: string; missing?: string[] } | undefined> {
  if (isShuttingDown()) return { reason: 'the server is stopping' }
  try {
    const missing = await withTimeout(answerMs, missingMigrations(pool(), [...migrationNames]))
    return missing.length > 0 ? { reason: 'migrations are missing', missing } : undefined
  } catch (error) {
    log.warn('not ready, because the database does not answer', { error })
    return { reason: 'the database does not answer' }
  }
}

/**
 * Handles GET /readyz: 200 if the database responds and has every migration of this release, and the process
 * is not shutting down. Otherwise, the response is 503 with the reason. If background jobs do not run or the
 * table for used tokens is missing, the response is still 200 and reports this.
 */
export async function ready(): Promise<Response> {
  const trouble = await whyNotReady()
  if (trouble) return answerWith(503, { status: 'not ready', ...trouble })
  const jobs = backgroundProblem() === undefined ? {} : { jobs: 'not running, tried again' }
  const tokens = isUsedTableMissing() ? { usedTokens: 'no table of their own, tried again' } : {}
  return answerWith(200, { status: 'ready', ...jobs, ...tokens })
}

/** The interval at which a process reports its state, in milliseconds. */
const beatMs = 15_000

/**
 * Starts to report this process's state every 15 seconds. The instance admin pages show the state. When the
 * process shuts down, the report is deleted. Do not call this in a serverless function, which is frozen
 * between requests.
 */
export function startHeartbeat(): void {
  const id = randomUUID()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const stop = repeat(
    'telling how this process is doing',
    async () => {
      const lateMs = Math.max(0, Math.round(delay.percentile(99) / 1e6 - 20))
      delay.reset()
      const uptimeSeconds = process.uptime()
      await noteReplica(
        { id, host: hostname(), release: releaseName(), uptimeSeconds },
        { ...(await stateNow()), lateMs },
      )
    },
    beatMs,
  )
  onShutdown('farewell', async () => {
    stop()
    delay.disable()
    await forgetReplica(id)
  })
}

async function stateNow() {
  // Count each pool once: if only a few connections are configured, both functions return the same pool.
  const pools = [...new Set([pool(), tokenPool()])]
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, each) => total + count(each), 0)
  return {
    trouble: (await whyNotReady())?.reason,
    jobs: backgroundProblem() === undefined,
    pool: {
      used: sum(({ totalCount, idleCount }) => totalCount - idleCount),
      most: sum(({ options }) => options.max),
      waiting: sum(({ waitingCount }) => waitingCount),
    },
    memoryBytes: process.memoryUsage().rss,
    node: process.version,
    pid: process.pid,
  }
}

/** The cache time of metrics that query the database, in milliseconds. Other metrics are not cached. */
const seldom = 5_000

/**
 * Returns a source that has no readings while the process shuts down. Otherwise, the shutdown would wait for
 * the source's queries.
 */
const unlessStopping = (source: Source): Source => ({
  ...source,
  read: () => (isShuttingDown() ? [] : source.read()),
})

const processSource: Source = {
  name: 'process',
  keepMs: 0,
  read() {
    const { user, system } = process.cpuUsage()
    return [
      metrics.residentMemory.reading(process.memoryUsage.rss(), {}),
      metrics.processorTime.reading(user / 1e6, { 'cpu.mode': 'user' }),
      metrics.processorTime.reading(system / 1e6, { 'cpu.mode': 'system' }),
      metrics.uptime.reading(process.uptime(), {}),
    ]
  },
}

const poolSource: Source = {
  name: 'pool',
  keepMs: 0,
  read: () => [
    ...readingsOf(pool(), 'main'),
    // Omit the token pool if it is the main pool, which is the case if only a few connections are configured.
    ...(tokenPool() === pool() ? [] : readingsOf(tokenPool(), 'token')),
  ],
}

function readingsOf({ totalCount, idleCount, waitingCount, options }: pg.Pool, name: string): Reading[] {
  const named = { 'db.client.connection.pool.name': name }
  const inState = (state: string, count: number) =>
    metrics.connections.reading(count, { ...named, 'db.client.connection.state': state })
  return [
    inState('idle', idleCount),
    inState('used', totalCount - idleCount),
    metrics.connectionsMost.reading(options.max, named),
    metrics.connectionsPending.reading(waitingCount, named),
  ]
}

const usedTokensSource: Source = {
  name: 'used tokens',
  keepMs: 0,
  read: () => [metrics.usedTokensApart.reading(usedTable() ? 1 : 0, {})],
}

const queueSource: Source = {
  name: 'queues',
  keepMs: seldom,
  read: async () =>
    (await readQueues()).flatMap(({ name: queue, waiting, waitedSeconds }) => [
      metrics.jobsWaiting.reading(waiting, { queue }),
      metrics.oldestJob.reading(waitedSeconds, { queue }),
    ]),
}

const readinessSource: Source = {
  name: 'readiness',
  keepMs: seldom,
  read: async () => [metrics.readiness.reading((await ready()).status === 200 ? 1 : 0, {})],
}

/** The sources of the metrics that are computed when they are read. */
export const telemetrySources: readonly Source[] = [
  processSource,
  unlessStopping(poolSource),
  usedTokensSource,
  unlessStopping(queueSource),
  readinessSource,
]
