import PgBoss from 'pg-boss'
import { withLongTimeout } from '@/lib/base/db/batches'
import { pool } from '@/lib/base/db/pool'
import { cronOf, type ScheduledJob, type Slot, schedule } from '@/lib/base/jobs/schedule'
import { type StopWork, watchJobs } from '@/lib/base/jobs/workers'
import { log } from '@/lib/base/log/log'
import { onShutdown } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { forgetKeys } from '@/lib/features/api-tokens/idempotency-keys'
import { forgetTransfers } from '@/lib/features/app-transfers/request-transfer'
import { forgetApprovalRequests } from '@/lib/features/approvals/read-approval'
import {
  type LogoutTokenMaker,
  logoutQueue,
  runLogouts,
} from '@/lib/features/apps/activity/back-channel-logout'
import { renewDomains } from '@/lib/features/apps/app-domain'
import { keepUsedTables } from '@/lib/features/apps/authorizations/used-tables'
import { removeExpired, removeStale } from '@/lib/features/apps/remove-stale'
import { forgetEvents } from '@/lib/features/audit/list-events'
import { forgetWaiting, runStreams, streamQueue } from '@/lib/features/audit-streams/send-pending'
import { forgetFigures, noteQueue } from '@/lib/features/figures/count-figure'
import { warnOfExpiry } from '@/lib/features/notifications/warn-of-expiry'
import { forgetProjects } from '@/lib/features/projects/delete-project'
import { apiEventQueue, type EventTokenMaker, runApiEvents } from '@/lib/features/resources/events'
import { renewSsoDomains } from '@/lib/features/sso/sso-domain'
import { runDeliveries } from '@/lib/features/webhooks/deliver'
import {
  deliveryQueue,
  forgetDeliveries,
  queueDeliveriesWithoutJob,
} from '@/lib/features/webhooks/queue-deliveries'

/** The scheduled jobs. Each runs on one replica at a time. */
const work: Record<ScheduledJob, () => Promise<unknown>> = {
  'remove-expired': async () => {
    await removeExpired()
    await forgetApprovalRequests()
    await forgetTransfers()
  },
  'remove-stale': async () => {
    await removeStale()
    await forgetFigures()
  },
  'keep-used-tokens': () => keepUsedTables(),
  'note-queue': () => noteQueue(),
  'warn-of-expiry': () => warnOfExpiry(),
  'renew-domains': async () => {
    await renewDomains()
    await renewSsoDomains()
  },
  'queue-deliveries': () => queueDeliveriesWithoutJob(),
  'forget-deliveries': () => forgetDeliveries(),
  'forget-audit': async () => {
    await forgetWaiting()
    await forgetEvents()
  },
  'forget-keys': () => forgetKeys(),
  'forget-projects': () => forgetProjects(),
}

/**
 * Runs a scheduled job and logs the result.
 * @throws the job's error, which the queue stores for the instance admin pages
 */
async function runAndRecord(name: ScheduledJob): Promise<void> {
  const since = performance.now()
  try {
    await work[name]()
    log.debug('a job was done', { name, ms: Math.round(performance.now() - since) })
  } catch (error) {
    log.error('a job failed', { name, error })
    throw error
  }
}

/** The names of all queues that `startQueue` processes. */
export const queues: readonly string[] = [
  deliveryQueue,
  logoutQueue,
  apiEventQueue,
  streamQueue,
  ...Object.keys(work),
]

/** The time for which a failed job is kept, so that an instance admin can inspect and retry it. */
const failuresKeptSeconds = 7 * 86_400

/**
 * Creates the queue, which is stored in the product's own database (schema `pgboss`) and shared by all
 * processes. Does not start it.
 * @param executeSql runs the queue's statements; if omitted, they run on connections from the main pool
 */
export function makeQueue(
  options: PgBoss.SchedulingOptions & PgBoss.MaintenanceOptions = {},
  executeSql: PgBoss.Db['executeSql'] = (text, values) => pool().query(text, values),
): PgBoss {
  const boss = new PgBoss({
    db: { executeSql },
    archiveFailedAfterSeconds: failuresKeptSeconds,
    ...options,
  })
  boss.on('error', (error) => log.warn('the job queue failed', { error }))
  watchJobs(boss)
  return boss
}

/**
 * The key of the advisory lock for creating and migrating the queue's tables. The product's own migrations
 * use a different lock.
 */
const startLock = 72_707_370

/**
 * Runs `start` under a lock, so that only one replica at a time creates the queue's tables. Concurrent
 * creation would cause a deadlock. The lock is held by a transaction, because session locks do not work with
 * every pooler.
 */
const oneAtATime = (start: () => Promise<void>): Promise<void> =>
  withLongTimeout(async (client) => {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [startLock])
    await start()
    await client.query('COMMIT')
  })

type Ways = {
  /** Adds a job to the queue's schedule, or queues the job if it is due. */
  settle: (name: ScheduledJob, slot: Slot) => Promise<void>
  /** Runs before any job is taken from the queue. */
  before?: () => Promise<unknown>
}

/**
 * Starts the queue and processes all background work: webhooks, audit streams, back-channel logout, events
 * for APIs, and scheduled jobs.
 * @param boss the queue from `makeQueue`
 * @param makeLogoutToken creates signed logout tokens
 * @returns a function that stops the work with external receivers, which `boss.stop` does not stop
 * @throws the database's error, after which the caller must stop the queue
 */
export async function startQueue(
  boss: PgBoss,
  makeLogoutToken: LogoutTokenMaker,
  { settle, before }: Ways,
): Promise<StopWork> {
  const stops: StopWork[] = []
  const stopAll: StopWork = async (graceMs) => {
    await Promise.all(stops.map((stop) => stop(graceMs)))
  }
  try {
    await oneAtATime(async () => {
      await boss.start()
      await before?.()
      stops.push(await runDeliveries(boss))
      stops.push(await runLogouts(boss, makeLogoutToken))
      stops.push(await runApiEvents(boss, makeEventToken))
      stops.push(await runStreams(boss))
      for (const name of Object.keys(schedule) as ScheduledJob[]) {
        await boss.createQueue(name)
        await settle(name, schedule[name].slot)
        await boss.work(name, { pollingIntervalSeconds: 30 }, () => runAndRecord(name))
      }
    })
  } catch (error) {
    await stopAll(0).catch(() => undefined)
    throw error
  }
  return stopAll
}

/** The maximum time to finish work in progress when the process ends, in milliseconds. */
const graceMs = 10_000

/**
 * Starts all background work: webhooks, audit streams, back-channel logout, events for APIs, and scheduled
 * jobs. The queue is in the product's own database (schema `pgboss`), and all replicas share it.
 * @param makeLogoutToken creates signed logout tokens
 * @returns the queue. When the process shuts down, the queue finishes the work in progress, for up to
 * `graceMs`, and stops
 * @throws the database's error; in that case, no job runs, and the caller can try again
 */
export async function startJobs(makeLogoutToken: LogoutTokenMaker): Promise<PgBoss> {
  const boss = makeQueue()
  let stopWork: StopWork | undefined
  onShutdown('background jobs', async () => {
    // Run both calls concurrently, because each call can wait up to `graceMs` for its work in progress.
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

/** Returns this process's record of why background jobs do not run. */
const state = () => remember<{ trouble?: string }>('background-jobs', () => ({}))

/**
 * Returns why background jobs do not run in this process. Returns undefined while they run, and until the
 * first attempt to start them has failed.
 */
export const backgroundProblem = (): string | undefined => state().trouble

/** The first and the longest pause between two attempts to start, in milliseconds. */
const pauses = { first: 1_000, longest: 30_000 }

/**
 * Starts the background jobs. If an attempt fails, for example because the database is unavailable, retries
 * until the jobs start or the process shuts down. The server does not wait for the jobs. Queued messages are
 * sent after the jobs have started.
 * @param start the function that starts the jobs, for tests
 * @param pause the first pause in milliseconds, for tests
 */
export function startBackground(start: typeof startJobs = startJobs, pause = pauses.first): void {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  const attempt = async (pauseMs: number): Promise<void> => {
    try {
      await start(makeToken)
      state().trouble = undefined
    } catch (error) {
      if (stopping) return
      state().trouble = error instanceof Error ? error.message : String(error)
      log.warn('background jobs did not start', { nextTryInSeconds: pauseMs / 1000, error })
      timer = setTimeout(() => void attempt(Math.min(pauseMs * 2, pauses.longest)), pauseMs).unref()
    }
  }
  onShutdown('starting background jobs', async () => {
    stopping = true
    clearTimeout(timer)
  })
  void attempt(pause)
}

/** Creates logout tokens with the OAuth engine, which is loaded on first use. */
export const makeToken: LogoutTokenMaker = async (signIn) => {
  const { makeLogoutToken } = await import('@/lib/edges/oauth/engine/provider')
  return makeLogoutToken(signIn)
}

/** Creates security event tokens with the keys of the OAuth engine, which is loaded on first use. */
const makeEventToken: EventTokenMaker = async (event) => {
  const { makeSecurityEventToken } = await import('@/lib/edges/oauth/engine/provider')
  return makeSecurityEventToken(event)
}
