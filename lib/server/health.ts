import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'
import { answerMs } from '@/lib/base/db/check-connection'
import { missingMigrations } from '@/lib/base/db/migrate'
import { pool, tokenPool } from '@/lib/base/db/pool'
import { answerWith } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { isShuttingDown, onShutdown, repeat, within } from '@/lib/base/process/background'
import { releaseName } from '@/lib/base/process/release'
import { isUsedTableMissing } from '@/lib/features/apps/authorizations/used-tables'
import { forgetReplica, noteReplica } from '@/lib/features/operator/replicas'
import { migrationNames } from '@/lib/generated/migration-names'
import { backgroundTrouble } from './background'

/** GET /healthz: the process is alive. It asks nothing of the database, whose absence no restart would mend. */
export const alive = (): Response => answerWith(200, { status: 'ok' })

/** Why a process should get no requests now, as far as it can tell itself; undefined while it should. */
async function whyNotReady(): Promise<{ reason: string; missing?: string[] } | undefined> {
  if (isShuttingDown()) return { reason: 'the server is stopping' }
  try {
    const missing = await within(answerMs, missingMigrations(pool(), [...migrationNames]))
    return missing.length > 0 ? { reason: 'migrations are missing', missing } : undefined
  } catch (error) {
    log.warn('not ready, because the database does not answer', { error })
    return { reason: 'the database does not answer' }
  }
}

/**
 * GET /readyz: the database answers and holds every migration of this release, and the process is not about to end; 503
 * with the reason otherwise. A process serves without its background jobs, and without a table for used tokens, and says so.
 */
export async function ready(): Promise<Response> {
  const trouble = await whyNotReady()
  if (trouble) return answerWith(503, { status: 'not ready', ...trouble })
  const jobs = backgroundTrouble() === undefined ? {} : { jobs: 'not running, tried again' }
  const tokens = isUsedTableMissing() ? { usedTokens: 'no table of their own, tried again' } : {}
  return answerWith(200, { status: 'ready', ...jobs, ...tokens })
}

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
  }
}
