import PgBoss from 'pg-boss'
import { removeExpired, removeStale } from '@/lib/authorizations/remove-stale'
import { onShutdown } from '@/lib/config/shutdown'
import { pool } from '@/lib/db/pool'
import { warnOfExpiry } from '@/lib/notifications/warn-of-expiry'
import { forgetDeliveries } from '@/lib/webhooks/forget-deliveries'
import { runDeliveries } from '@/lib/webhooks/run-deliveries'

/** What runs at set times, on one replica at a time. */
const scheduled: { name: string; cron: string; run: () => Promise<unknown> }[] = [
  { name: 'remove-expired', cron: '* * * * *', run: () => removeExpired() },
  { name: 'remove-stale', cron: '23 4 * * *', run: () => removeStale() },
  { name: 'warn-of-expiry', cron: '17 * * * *', run: () => warnOfExpiry() },
  { name: 'forget-deliveries', cron: '41 3 * * *', run: () => forgetDeliveries() },
]

/**
 * Starts the work that no request waits for: webhooks, and what runs at set times. The queue lives in the product's own
 * database (schema `pgboss`); replicas share it.
 * @returns the queue; it stops with the process, after the work under way
 */
export async function startJobs(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool().query(text, values) } })
  boss.on('error', (error) => console.error(`background jobs: ${error.message}`))
  await boss.start()
  const stopDeliveries = await runDeliveries(boss)
  for (const { name, cron, run } of scheduled) {
    await boss.createQueue(name)
    await boss.work(name, { pollingIntervalSeconds: 30 }, run)
    await boss.schedule(name, cron)
  }
  onShutdown('background jobs', async () => {
    stopDeliveries()
    await boss.stop({ graceful: true, timeout: 10_000, close: false })
  })
  return boss
}
