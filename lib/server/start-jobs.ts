import type PgBoss from 'pg-boss'
import { cronOf } from '@/lib/base/jobs/schedule'
import type { StopWork } from '@/lib/base/jobs/work-fairly'
import { onShutdown } from '@/lib/base/process/shutdown'
import type { LogoutTokenMaker } from '@/lib/features/apps/sign-ins/tell-app'
import { makeQueue, startQueue } from './job-queue'

/** How long work under way can take when the process ends, in milliseconds. */
const graceMs = 10_000

/**
 * Starts the work that no request waits for: webhooks, audit streams, telling apps of sign-outs, and what runs at set times.
 * The queue lives in the product's own database (schema `pgboss`); replicas share it.
 * @param makeLogoutToken the OAuth engine's, which signs
 * @returns the queue; it stops with the process, after the work under way
 * @throws what the database says; nothing of it runs then, and it may be called again
 */
export async function startJobs(makeLogoutToken: LogoutTokenMaker): Promise<PgBoss> {
  const boss = makeQueue()
  let stopWork: StopWork | undefined
  onShutdown('background jobs', async () => {
    // Both let the work under way finish, at the same time.
    await Promise.all([stopWork?.(graceMs), boss.stop({ graceful: true, timeout: graceMs, close: false })])
  })
  try {
    stopWork = await startQueue(boss, makeLogoutToken, {
      settle: (name, slot) => boss.schedule(name, cronOf(slot)),
    })
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => undefined)
    throw error
  }
  return boss
}
