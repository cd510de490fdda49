import type pg from 'pg'
import { pool, tokenPool } from '@/lib/base/db/pool'
import { readQueues } from '@/lib/base/jobs/insert-jobs'
import { isShuttingDown } from '@/lib/base/process/background'
import type { Reading, Source } from '@/lib/base/telemetry/metrics'
import * as metrics from '@/lib/base/telemetry/metrics'
import { usedTable } from '@/lib/features/apps/authorizations/used-tables'
import { ready } from './health'

/** What costs nothing is read each time; what asks the database, no more often than this, in milliseconds. */
const seldom = 5_000

/** How long the process may take to end is not spent on questions to a database that is being left. */
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
    // A process with few connections has one pool for everything.
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

/** What is read when somebody asks for metrics. */
export const telemetrySources: readonly Source[] = [
  processSource,
  unlessStopping(poolSource),
  usedTokensSource,
  unlessStopping(queueSource),
  readinessSource,
]
