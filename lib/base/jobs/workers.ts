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
  /** Whether no attempt follows this one. */
  isLast: boolean
}

/** The receiver a job calls, such as a host. Jobs of earlier releases have none; each counts as a receiver of its own. */
type ForReceiver = { receiver?: string }

/** Why a job is to be retried although this service works, such as a receiver's failure. */
export type Retry = { retry: string }

type Limits = {
  /** How many jobs one process works on at the same time. */
  perProcess?: number
  /** How many of them can have the same receiver. */
  perReceiver?: number
  /** How long one job can take, in milliseconds. Less than its `expireInSeconds`. */
  longestMs: number
}

/** Stops taking jobs. @param graceMs how long to wait for those under way, in milliseconds */
export type StopWork = (graceMs: number) => Promise<void>

type TakenRow = { id: string; data: ForReceiver; retryCount: number; retryLimit: number }

/** How many waiting jobs one look considers, those of receivers with no free place excluded. */
const considered = 5_000

/**
 * Takes jobs as pg-boss 10 does (`fetchNextJob`), with one difference: the order. The first job of each receiver comes
 * before the second of any, and jobs that this process already holds count. Receivers at their limit are left out.
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

/** Time between two looks at an empty queue, and the shortest time between any two, in milliseconds. */
const idleMs = 1_000
const shortestMs = 50

/**
 * Works on the jobs of a queue whose receivers are outside this service. A receiver that does not respond occupies only its
 * own places: the process takes a new job whenever one ends and never waits for a batch. Several processes can share a
 * queue. An idle process sends one statement per second.
 * @param boss started
 * @param work does one job; the job is retried, as its own settings say, if this throws (a failure in the metrics) or says so
 * @returns stops: takes no more jobs, waits up to `graceMs` for those under way, and returns the others to the queue
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
    // A job that was returned to the queue at shutdown is no longer this process's to finish.
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

  /** Notes in one statement what has succeeded since the last time; keeps it if the database is unavailable. */
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

  /** Waits until `wake` is called, at most `ms`. */
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
      // Jobs that end at about the same time share the next look. A long queue is looked at less often.
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

/** Measures each batch of jobs of the queues that `boss.work` starts after this call, in a trace of its own. */
export function watchJobs(boss: PgBoss): void {
  const work = boss.work.bind(boss) as Work
  const watched: Work = (queue, ...rest) => {
    const handler = rest.pop() as Handler
    return work(queue, ...rest, (jobs: unknown) => watchJob(String(queue), () => handler(jobs)))
  }
  boss.work = watched as typeof boss.work
}

/** Measures one job, or one batch, in a trace of its own. */
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
