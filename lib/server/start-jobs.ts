import PgBoss from 'pg-boss'
import { pool } from '@/lib/base/db/pool'
import { withPatience } from '@/lib/base/db/with-patience'
import { cronOf, type ScheduledJob, schedule } from '@/lib/base/jobs/schedule'
import { log } from '@/lib/base/log/log'
import { onShutdown } from '@/lib/base/process/shutdown'
import { removeExpired, removeStale } from '@/lib/features/apps/authorizations/remove-stale'
import { runLogouts } from '@/lib/features/apps/sign-ins/run-logouts'
import type { LogoutTokenMaker } from '@/lib/features/apps/sign-ins/tell-app'
import { forgetEvents } from '@/lib/features/audit/forget-events'
import { forgetWaiting } from '@/lib/features/audit-streams/forget-waiting'
import { runStreams } from '@/lib/features/audit-streams/run-streams'
import { warnOfExpiry } from '@/lib/features/notifications/warn-of-expiry'
import { forgetDeliveries } from '@/lib/features/webhooks/forget-deliveries'
import { queueLeftOver } from '@/lib/features/webhooks/queue-left-over'
import { runDeliveries } from '@/lib/features/webhooks/run-deliveries'
import { watchJobs } from './watch-jobs'

/** What runs at the times of the schedule, on one replica at a time. */
const work: Record<ScheduledJob, () => Promise<unknown>> = {
  'remove-expired': () => removeExpired(),
  'remove-stale': () => removeStale(),
  'warn-of-expiry': () => warnOfExpiry(),
  'queue-deliveries': () => queueLeftOver(),
  'forget-deliveries': () => forgetDeliveries(),
  'forget-audit': async () => {
    await forgetWaiting()
    await forgetEvents()
  },
}

/** Does a job. That it failed is kept by the queue as well, for the operator's pages. */
async function told(name: ScheduledJob): Promise<void> {
  const since = performance.now()
  try {
    await work[name]()
    log.debug('a job was done', { name, ms: Math.round(performance.now() - since) })
  } catch (error) {
    log.error('a job failed', { name, error })
    throw error
  }
}

/** So long a job that failed can be looked at and tried again by the operator. */
const failuresKeptSeconds = 7 * 86_400

/** The key of the lock under which the queue's own tables are made or brought up to date; the migrations have another. */
const startLock = 72_707_370

/**
 * Lets one replica at a time make the queue's tables: of several that do it at once, PostgreSQL ends all but one over a
 * deadlock. The lock is of a transaction, because those of a session do not go with every pooler.
 */
const oneAtATime = (start: () => Promise<void>): Promise<void> =>
  withPatience(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [startLock])
    await start()
    await client.query('COMMIT')
  })

/**
 * Starts the work that no request waits for: webhooks, audit streams, telling apps of sign-outs, and what runs at set times.
 * The queue lives in the product's own database (schema `pgboss`); replicas share it.
 * @param makeLogoutToken the OAuth engine's, which signs
 * @returns the queue; it stops with the process, after the work under way
 * @throws what the database says; nothing of it runs then, and it may be called again
 */
export async function startJobs(makeLogoutToken: LogoutTokenMaker): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool().query(text, values) },
    archiveFailedAfterSeconds: failuresKeptSeconds,
  })
  boss.on('error', (error) => log.warn('the job queue failed', { error }))
  watchJobs(boss)
  const stops: (() => void)[] = []
  const stopQueueing = () => {
    for (const stop of stops) stop()
  }
  onShutdown('background jobs', async () => {
    stopQueueing()
    await boss.stop({ graceful: true, timeout: 10_000, close: false })
  })
  try {
    await oneAtATime(async () => {
      await boss.start()
      await runDeliveries(boss)
      stops.push(await runLogouts(boss, makeLogoutToken))
      stops.push(await runStreams(boss))
      for (const [name, { slot }] of Object.entries(schedule)) {
        await boss.createQueue(name)
        await boss.work(name, { pollingIntervalSeconds: 30 }, () => told(name as ScheduledJob))
        await boss.schedule(name, cronOf(slot))
      }
    })
  } catch (error) {
    stopQueueing()
    await boss.stop({ graceful: false, close: false }).catch(() => undefined)
    throw error
  }
  return boss
}
