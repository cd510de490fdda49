import { setTimeout as sleep } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import { withTimeout } from '@/lib/base/process/background'
import { jobDuration } from '@/lib/base/telemetry/metrics'
import { recorder, step } from '@/lib/base/telemetry/telemetry'

/** A job that this process holds. */
export type ClaimedJob<Data> = {
  id: string
  data: Data
  /** Whether this is the last attempt. */
  isLast: boolean
}

/**
 * The receiver that a job calls, such as a host. Jobs from earlier releases do not name a receiver, so each
 * of these jobs is treated as if it had a receiver of its own.
 */
type ForReceiver = { receiver?: string }

/**
 * The result of a job that must be retried because of an external problem, such as an error at the receiver.
 * `retry` describes the problem.
 */
export type Retry = { retry: string }

type Limits = {
  /** The maximum number of jobs that one process runs at the same time. Default: 40. */
  perProcess?: number
  /** The maximum number of jobs for the same receiver that one process runs at the same time. Default: 4. */
  perReceiver?: number
  /**
   * The maximum duration of a job, in milliseconds. A job that takes longer counts as a failed attempt. The
   * maximum must be less than the job's `expireInSeconds`.
   */
  longestMs: number
}

/** A function that stops a queue's work. @param graceMs how long to wait for running jobs, in milliseconds */
export type StopWork = (graceMs: number) => Promise<void>

type TakenRow = { id: string; data: ForReceiver; retryCount: number; retryLimit: number }

/**
 * The maximum number of waiting jobs that one query considers. Jobs for receivers that have reached their
 * limit do not count.
 */
const considered = 5_000

/**
 * Takes jobs like pg-boss 10 (`fetchNextJob`), but in a different order: each receiver's first job comes
 * before any receiver's second job. The jobs that this process already holds count as the first jobs of their
 * receivers. Jobs for receivers that have reached their limit are skipped.
 */
const take = statement<
  TakenRow,
  [queue: string, free: number, perReceiver: number, held: string, full: string[]]
>(
  'jobs-take-fairly',
  `WITH ready AS MATERIALIZED (
     SELECT id, created_on, row_number() OVER (PARTITION BY receiver ORDER BY created_on, id)
              + coalesce(($4::jsonb ->> receiver)::int, 0) AS turn
       FROM (SELECT id, created_on, coalesce(data ->> 'receiver', id::text) AS receiver FROM pgboss.job
              WHERE name = $1 AND state < 'active' AND start_after <= now()
                AND coalesce(data ->> 'receiver', '') <> ALL($5::text[])
              ORDER BY created_on, id LIMIT ${considered}) waiting
   ), next AS (
     SELECT job.id FROM ready JOIN pgboss.job job ON job.name = $1 AND job.id = ready.id
      WHERE job.state < 'active' AND ready.turn <= $3
      ORDER BY ready.turn, ready.created_on, ready.id LIMIT $2
      FOR UPDATE OF job SKIP LOCKED)
   UPDATE pgboss.job taken SET state = 'active', started_on = now(),
          retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END
     FROM next WHERE taken.name = $1 AND taken.id = next.id
   RETURNING taken.id, taken.data, taken.retry_count AS "retryCount", taken.retry_limit AS "retryLimit"`,
)

/** How long to wait before the next query if no running job ends, in milliseconds. */
const idleMs = 1_000
/** The minimum pause between two queries, in milliseconds. */
const shortestMs = 50

/**
 * Creates a queue if it does not exist, and starts to run its jobs, which call external receivers. A receiver
 * that does not respond delays only its own jobs. The reason is that the process runs only a few jobs for the
 * same receiver at a time, and takes new jobs whenever a job ends instead of waiting for a batch. Several
 * processes can share a queue. An idle process sends about one statement per second. When `boss` stops, the
 * process takes no more jobs.
 * @param boss a pg-boss instance that has been started
 * @param work runs one job. If the function throws an error, returns `Retry`, or exceeds `longestMs`, the job
 * is retried according to the job's settings. Metrics count only a thrown error as a failure.
 * @returns a function that stops taking jobs, waits up to `graceMs` for running jobs, and returns unfinished
 * jobs to the queue as failed attempts
 */
export async function workFairlyByReceiver<Data extends ForReceiver>(
  boss: PgBoss,
  queue: string,
  { perProcess = 40, perReceiver = 4, longestMs }: Limits,
  work: (job: ClaimedJob<Data>) => Promise<Retry | undefined>,
): Promise<StopWork> {
  await boss.createQueue(queue)
  const held = new Map<string, { receiver: string; done: Promise<void> }>()
  let completed: string[] = []
  let isStopped = false
  let hasEnded = false
  let wake = () => {}

  const report = (error: unknown) => log.warn('the job queue failed', { queue, error })

  async function perform({ id, data, retryCount, retryLimit }: TakenRow): Promise<void> {
    let problem: string | undefined
    try {
      const job = { id, data: data as Data, isLast: retryCount >= retryLimit }
      const outcome = await withTimeout(
        longestMs,
        watchJob(queue, () => work(job)),
      )
      problem = outcome?.retry
    } catch (error) {
      problem = (error as Error).message
    }
    // Ignore a job that was returned to the queue at shutdown, because it no longer belongs to this process.
    if (!held.has(id)) return
    if (problem !== undefined) await boss.fail(queue, id, { message: problem }).catch(report)
    else completed.push(id)
    held.delete(id)
    hasEnded = true
    wake()
  }

  async function takeMore(): Promise<void> {
    const free = perProcess - held.size
    if (free <= 0) return
    const counts: Record<string, number> = {}
    for (const { receiver } of held.values()) counts[receiver] = (counts[receiver] ?? 0) + 1
    const full = Object.keys(counts).filter((receiver) => Number(counts[receiver]) >= perReceiver)
    for (const row of await take(queue, free, perReceiver, JSON.stringify(counts), full)) {
      held.set(row.id, { receiver: row.data.receiver ?? row.id, done: perform(row) })
    }
  }

  /**
   * Marks all jobs that have succeeded since the last call as completed, in one statement.
   * @throws the error of the statement if it fails; the jobs are then kept for the next call
   */
  async function noteCompleted(): Promise<void> {
    const ids = completed
    completed = []
    if (ids.length === 0) return
    try {
      await boss.complete(queue, ids)
    } catch (error) {
      completed = [...ids, ...completed]
      throw error
    }
  }

  /** Waits until `wake` is called, or for at most `ms` milliseconds. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    while (!isStopped) {
      hasEnded = false
      const since = performance.now()
      try {
        await noteCompleted()
        if (!isStopped) await takeMore()
      } catch (error) {
        if (!isStopped) report(error)
      }
      const spent = performance.now() - since
      if (!hasEnded && !isStopped) await pause(idleMs)
      // Wait before the next query, so that jobs that end at about the same time share one query. Wait longer
      // if the database is slow.
      if (!isStopped)
        await sleep(Math.max(shortestMs, Math.min(4 * spent, idleMs)), undefined, { ref: false })
    }
  }

  const end = () => {
    isStopped = true
    wake()
  }
  boss.once('stopped', end)
  const running = run()
  return async (graceMs) => {
    end()
    await running
    await withTimeout(graceMs, Promise.all([...held.values()].map(({ done }) => done))).catch(() => undefined)
    const unfinished = [...held.keys()]
    held.clear()
    await noteCompleted()
    await Promise.all(unfinished.map((id) => boss.fail(queue, id, { message: 'The process stopped.' })))
  }
}

type Work = (...all: unknown[]) => unknown
type Handler = (jobs: unknown) => Promise<unknown>

/**
 * Replaces `boss.work`, so that each batch of jobs is traced and measured (`watchJob`). This affects only
 * queues for which `boss.work` is called afterwards.
 */
export function watchJobs(boss: PgBoss): void {
  const work = boss.work.bind(boss) as Work
  const watched: Work = (queue, ...rest) => {
    const handler = rest.pop() as Handler
    return work(queue, ...rest, (jobs: unknown) => watchJob(String(queue), () => handler(jobs)))
  }
  boss.work = watched as typeof boss.work
}

/**
 * Runs one job or one batch. If telemetry is enabled, traces the run and records its duration and outcome.
 */
async function watchJob<T>(queue: string, run: () => Promise<T>): Promise<T> {
  if (!recorder()) return run()
  const since = performance.now()
  const note = (outcome: string) => jobDuration.record((performance.now() - since) / 1000, { queue, outcome })
  try {
    const result = await step({ name: `job ${queue}`, kind: 'consumer', labels: { queue } }, run)
    note('done')
    return result
  } catch (error) {
    note('failed')
    throw error
  }
}
