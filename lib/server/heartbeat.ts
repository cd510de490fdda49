import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'
import { pool, tokenPool } from '@/lib/base/db/pool'
import { hasReplicas, watchReplicas } from '@/lib/base/db/replicas/read-scope'
import { readers } from '@/lib/base/db/replicas/readers'
import { releaseName } from '@/lib/base/process/release'
import { repeat } from '@/lib/base/process/repeat'
import { onShutdown } from '@/lib/base/process/shutdown'
import { forgetReplica, noteReplica } from '@/lib/features/operator/replicas/note-replica'
import { whyNotReady } from './health'
import { backgroundTrouble } from './start-background'

/** How often a process says how it is doing, in milliseconds. */
const beatMs = 15_000

/**
 * Says every 15 seconds how this process is doing, for the operator's page, until it ends. No request waits for it. Where
 * processes live for a request it is not called.
 */
export function startHeartbeat(): void {
  const id = randomUUID()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  watchReplicas()
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
  // One and the same where there are few connections.
  const pools = [...new Set([pool(), tokenPool()])]
  const sum = (count: (pool: Pool) => number) => pools.reduce((total, each) => total + count(each), 0)
  return {
    trouble: (await whyNotReady())?.reason,
    jobs: backgroundTrouble() === undefined,
    pool: {
      used: sum(({ totalCount, idleCount }) => totalCount - idleCount),
      most: sum(({ options }) => options.max),
      waiting: sum(({ waitingCount }) => waitingCount),
    },
    memoryBytes: process.memoryUsage().rss,
    node: process.version,
    pid: process.pid,
    readers: hasReplicas() ? readers().report() : [],
  }
}
