import { setTimeout as sleep } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import { config } from '@/lib/base/config/env'
import { isSameCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { answerWith } from '@/lib/base/http/answers'
import { jobId } from '@/lib/base/jobs/insert-jobs'
import { lastRun, type Slot } from '@/lib/base/jobs/schedule'
import type { StopWork } from '@/lib/base/jobs/workers'
import { log } from '@/lib/base/log/log'
import type { LogoutTokenMaker } from '@/lib/features/apps/activity/back-channel-logout'
import { makeQueue, makeToken, queues, startQueue } from './jobs'

/**
 * The additional time to finish work in progress, in milliseconds. Unfinished work is returned to the queue.
 */
const graceMs = 20_000

/**
 * Runs the background work once: due scheduled jobs, and waiting messages to webhooks, apps, APIs, and audit
 * streams. On platforms without a long-running process, the platform's scheduler triggers this function
 * through /api/cron. When no job is waiting or `atMostMs` has elapsed, jobs in progress get `graceMs` to
 * finish. Concurrent calls divide the work among themselves, as replicas do. See ADR 0037.
 * @param makeLogoutToken creates signed logout tokens
 * @param atMostMs the time in milliseconds after which no more jobs start
 * @returns the number of jobs, ended sign-ins, and audit streams that still wait to be processed
 * @throws the database's error
 */
async function runWaitingJobs(makeLogoutToken: LogoutTokenMaker, atMostMs: number): Promise<number> {
  const end = performance.now() + atMostMs
  const statements = new Set<Promise<unknown>>()
  const boss = makeQueue({ supervise: false, schedule: false }, (text, values) => {
    const statement = pool().query(text, values)
    const forget = () => void statements.delete(statement)
    statements.add(statement)
    statement.then(forget, forget)
    return statement
  })
  let stopWork: StopWork | undefined
  try {
    stopWork = await startQueue(boss, makeLogoutToken, {
      // Put jobs back in the queue if the serverless function that ran them ended unexpectedly.
      before: () => boss.maintain(),
      settle: (name, slot) => queueIfDue(boss, name, slot),
    })
    for (;;) {
      const waiting = await countWaiting()
      if (waiting === 0 || performance.now() > end) return waiting
      await sleep(200)
    }
  } finally {
    await stopWork?.(graceMs)
    await boss.stop({ graceful: true, timeout: graceMs, close: false })
    // pg-boss does not wait for the statement that completes a job, and the platform can freeze the process
    // after the response. Therefore, wait for that statement here.
    while (statements.size > 0) await Promise.allSettled(statements)
  }
}

/**
 * Queues a scheduled job if it has become due since it was last queued. The queued job's ID is derived from
 * the job's name and the due time, so that concurrent calls queue the job only once.
 */
async function queueIfDue(boss: PgBoss, name: string, slot: Slot): Promise<void> {
  const due = lastRun(slot, new Date())
  const { rowCount } = await pool().query(
    `SELECT FROM pgboss.job WHERE name = $1 AND created_on >= $2
      UNION ALL SELECT FROM pgboss.archive WHERE name = $1 AND created_on >= $2 LIMIT 1`,
    [name, due],
  )
  if (!rowCount) await boss.insert([{ id: jobId(`${name} ${due.toISOString()}`), name }])
}

async function countWaiting(): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM pgboss.job
              WHERE state < 'active' AND start_after <= now() AND name = ANY($1))::int
          + (SELECT count(*) FROM app_sign_ins WHERE ended_at IS NOT NULL AND queued_at IS NULL)::int
          + (SELECT count(*) FROM audit_streams s WHERE disabled_at IS NULL AND next_at <= now()
                AND EXISTS (SELECT FROM audit_waiting w WHERE w.place_id = s.place_id))::int AS waiting`,
    [queues],
  )
  return rows[0]?.waiting ?? 0
}

/**
 * The time in which jobs can start, in milliseconds. The rest of the platform's limit for the route
 * (`maxDuration`) is left for work in progress.
 */
const longestMs = 240_000

/**
 * Handles GET /api/cron: runs background work. The platform's scheduler (for example, Vercel's) sends the
 * request with CRON_SECRET as a bearer token. If CRON_SECRET is not set, the response is 404. If the token is
 * missing or wrong, the response is 401. If the work cannot be run, the error is logged and the response
 * is 503.
 */
export async function answerCron(request: Request): Promise<Response> {
  const secret = config().CRON_SECRET
  if (secret === undefined) return answerWith(404, { status: 'not found', reason: 'CRON_SECRET is not set' })
  if (!isSameCredential(request.headers.get('authorization') ?? '', `Bearer ${secret}`)) {
    return answerWith(
      401,
      { status: 'refused', reason: 'send CRON_SECRET' },
      { 'www-authenticate': 'Bearer' },
    )
  }
  try {
    return answerWith(200, { status: 'done', waiting: await runWaitingJobs(makeToken, longestMs) })
  } catch (error) {
    log.error('background jobs could not be run', { error })
    return answerWith(503, { status: 'failed', reason: 'see the log' })
  }
}
