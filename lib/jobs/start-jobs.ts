import PgBoss from 'pg-boss'
import { removeExpired, removeStale } from '@/lib/authorizations/remove-stale'
import { onShutdown } from '@/lib/config/shutdown'
import { pool } from '@/lib/db/pool'
import { warnOfExpiry } from '@/lib/notifications/warn-of-expiry'
import { forgetDeliveries } from '@/lib/webhooks/forget-deliveries'
import { runDeliveries } from '@/lib/webhooks/run-deliveries'
import { cronOf, type ScheduledJob, schedule } from './schedule'

/** What runs at the times of the schedule, on one replica at a time. */
const work: Record<ScheduledJob, () => Promise<unknown>> = {
  'remove-expired': () => removeExpired(),
  'remove-stale': () => removeStale(),
  'warn-of-expiry': () => warnOfExpiry(),
  'forget-deliveries': () => forgetDeliveries(),
}

/** So long a job that failed can be looked at and tried again by the operator. */
const failuresKeptSeconds = 7 * 86_400

/**
 * Starts the work that no request waits for: webhooks, and what runs at set times. The queue lives in the product's own
 * database (schema `pgboss`); replicas share it.
 * @returns the queue; it stops with the process, after the work under way
 */
export async function startJobs(): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool().query(text, values) },
    archiveFailedAfterSeconds: failuresKeptSeconds,
  })
  boss.on('error', (error) => console.error(`background jobs: ${error.message}`))
  await boss.start()
  const stopDeliveries = await runDeliveries(boss)
  for (const [name, { slot }] of Object.entries(schedule)) {
    await boss.createQueue(name)
    await boss.work(name, { pollingIntervalSeconds: 30 }, work[name as ScheduledJob])
    await boss.schedule(name, cronOf(slot))
  }
  onShutdown('background jobs', async () => {
    stopDeliveries()
    await boss.stop({ graceful: true, timeout: 10_000, close: false })
  })
  return boss
}
