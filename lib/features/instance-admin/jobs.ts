import { pool } from '@/lib/base/db/pool'
import { type Db, isId, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { hasQueue } from '@/lib/base/jobs/insert-jobs'
import { isScheduled, nextRun, type Slot, schedule } from '@/lib/base/jobs/schedule'
import { log } from '@/lib/base/log/log'
import { logoutQueue } from '@/lib/features/apps/activity/back-channel-logout'
import { recordEvent } from '@/lib/features/audit/record-event'
import { streamQueue } from '@/lib/features/audit-streams/send-pending'
import { apiEventQueue } from '@/lib/features/resources/events'
import { addDeliveries, deliveryQueue } from '@/lib/features/webhooks/queue-deliveries'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'

/** A type of background job and its state. */
export type JobQueue = {
  name: string
  title: string
  about: string
  /** The schedule. Undefined for jobs without a schedule. */
  slot?: Slot
  next?: Date
  waiting: number
  active: number
  failed: number
  last?: { at: Date; seconds: number; failed: boolean }
}

/** A job that failed permanently and can be retried. */
export type FailedJob = {
  id: string
  queue: string
  title: string
  at: Date
  attempts: number
  error: string
}

/** The maximum number of failed jobs to list. An admin would not retry more jobs one by one. */
const most = 50

/** The SQL condition that excludes pg-boss's own queues, whose names start with two underscores. */
const ours = `left(name, 2) <> '__'`

const other: Record<string, { title: string; about: string }> = {
  [deliveryQueue]: { title: 'Send webhooks', about: 'Delivers the events of workspaces.' },
  [streamQueue]: { title: 'Stream the audit log', about: 'Sends new events to the streams.' },
  [logoutQueue]: { title: 'Notify apps of sign-outs', about: 'Sends logout tokens to apps.' },
  [apiEventQueue]: { title: 'Notify APIs', about: 'Sends security events to APIs.' },
}

const known = (name: string) => (isScheduled(name) ? schedule[name] : other[name])

/**
 * The SQL for failed deliveries of enabled webhooks. Excludes a delivery if a later delivery of the same
 * event to the same webhook exists.
 */
const givenUp = `webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.disabled_at IS NULL
  WHERE d.status = 'FAILED' AND NOT EXISTS (
    SELECT 1 FROM webhook_deliveries later
     WHERE later.webhook_id = d.webhook_id AND later.id > d.id AND later.event_id = d.event_id)`

type Row = {
  name: string
  waiting: number
  active: number
  failed: number
  startedOn: Date | null
  completedOn: Date | null
  state: string | null
}

const queuesSql = `
  WITH states AS (
    SELECT name, count(*) FILTER (WHERE state < 'active')::int AS waiting,
           count(*) FILTER (WHERE state = 'active')::int AS active,
           count(*) FILTER (WHERE state = 'failed')::int AS failed
      FROM pgboss.job GROUP BY name)
  SELECT q.name, coalesce(s.waiting, 0) AS waiting, coalesce(s.active, 0) AS active,
         coalesce(s.failed, 0) + CASE WHEN q.name = '${deliveryQueue}' THEN (SELECT count(*)::int FROM ${givenUp}) ELSE 0 END AS failed,
         l.started_on AS "startedOn", l.completed_on AS "completedOn", l.state
    FROM (SELECT name FROM pgboss.queue WHERE ${ours}) q
    LEFT JOIN states s ON s.name = q.name
    LEFT JOIN LATERAL (
      SELECT * FROM (
        (SELECT state::text, started_on, completed_on FROM pgboss.job
          WHERE name = q.name AND completed_on IS NOT NULL ORDER BY completed_on DESC LIMIT 1)
        UNION ALL
        (SELECT state::text, started_on, completed_on FROM pgboss.archive
          WHERE name = q.name AND completed_on IS NOT NULL ORDER BY archived_on DESC LIMIT 1)) runs
       ORDER BY completed_on DESC LIMIT 1) l ON true
   ORDER BY q.name`

const failedSql = `
  SELECT id, queue, at, attempts, error FROM (
    (SELECT id, name AS queue, completed_on AS at, retry_count + 1 AS attempts,
            coalesce(output->>'message', output->'value'->>'message', 'The job reported no error message.') AS error
       FROM pgboss.job WHERE state = 'failed' AND ${ours} ORDER BY completed_on DESC LIMIT ${most + 1})
    UNION ALL
    (SELECT d.id, '${deliveryQueue}', coalesce(d.last_attempt_at, d.created_at), d.attempts,
            concat_ws(' ', w.url, 'answered', d.response_status::text) || coalesce(': ' || left(d.response, 200), '')
       FROM ${givenUp}
      ORDER BY d.id DESC LIMIT ${most + 1})) failures
   ORDER BY at DESC LIMIT ${most + 1}`

/**
 * Returns the types of background jobs, each with its last run, its next run, and its numbers of waiting,
 * active, and failed jobs. Also returns the latest 50 jobs that failed permanently, including webhook
 * deliveries.
 * @returns `running`, which is false if no server of the instance has ever started the job queue, as on
 * serverless hosts, and `more`, which is true if more jobs failed than are listed
 * @throws the errors of `authorizeInstance`
 */
export async function listJobs(
  actor: Actor,
  now = new Date(),
): Promise<{ running: boolean; queues: JobQueue[]; failed: FailedJob[]; more: boolean }> {
  authorizeInstance(actor)
  if (!(await hasQueue(prisma()))) return { running: false, queues: [], failed: [], more: false }
  const [queues, failed] = await Promise.all([
    pool().query<Row>(queuesSql),
    pool().query<Omit<FailedJob, 'title'>>(failedSql),
  ])
  return {
    running: true,
    queues: queues.rows.map((row) => describe(row, now)),
    failed: failed.rows
      .slice(0, most)
      .map((job) => ({ ...job, title: known(job.queue)?.title ?? job.queue })),
    more: failed.rows.length > most,
  }
}

function describe(
  { name, waiting, active, failed, startedOn, completedOn, state }: Row,
  now: Date,
): JobQueue {
  const job = isScheduled(name) ? schedule[name] : undefined
  return {
    name,
    title: known(name)?.title ?? name,
    about: known(name)?.about ?? '',
    waiting,
    active,
    failed,
    ...(job ? { slot: job.slot, next: nextRun(job.slot, now) } : {}),
    ...(completedOn && startedOn
      ? {
          last: {
            at: completedOn,
            seconds: (completedOn.getTime() - startedOn.getTime()) / 1000,
            failed: state === 'failed',
          },
        }
      : {}),
  }
}

const unknown = () => new AppError('NOT_FOUND', 'The job was not found, or it was already retried.')

/**
 * Queues a permanently failed job for one more attempt. A failed webhook delivery is instead repeated as a
 * new delivery with the same event ID.
 * @throws AppError NOT_FOUND if no failed job has this ID or the job was already retried, FORBIDDEN, and the
 * errors of `authorizeInstance`
 */
export async function retryJob(actor: Actor, id: string): Promise<void> {
  authorizeInstance(actor)
  if (!isId(id)) throw unknown()
  const queued = await hasQueue(prisma())
  await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    const retried = (queued && (await retryQueued(tx, id))) || (await retryDelivery(tx, id))
    if (!retried) throw unknown()
    await recordEvent(tx, actor, { action: 'job.retried', resource: { type: 'job', id } })
  })
  log.info('an instance admin acted', { action: 'job.retried', instanceAdmin: actor.userId, job: id })
}

const retryQueued = (tx: Db, id: string): Promise<number> => tx.$executeRaw`
  UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1, completed_on = NULL
   WHERE id = ${id}::uuid AND state = 'failed'`

async function retryDelivery(tx: Db, id: string): Promise<boolean> {
  const failed = await tx.webhookDelivery.findFirst({
    where: { id, status: 'FAILED' },
    include: { webhook: { select: { id: true, url: true } } },
  })
  if (!failed) return false
  const { webhookId, webhook, eventId, event, payload } = failed
  const again = await tx.webhookDelivery.count({ where: { webhookId, eventId, id: { gt: id } } })
  if (again > 0) return false
  await addDeliveries(tx, [{ webhook, eventId, event, payload: payload as object }])
  return true
}

/**
 * Queues a scheduled job to run now, in addition to its schedule.
 * @throws AppError NOT_FOUND if no scheduled job has this name or no server has ever started the job queue,
 * FORBIDDEN, and the errors of `authorizeInstance`
 */
export async function runJobNow(actor: Actor, name: string): Promise<void> {
  authorizeInstance(actor)
  if (!isScheduled(name) || !(await hasQueue(prisma())))
    throw new AppError('NOT_FOUND', 'The job was not found.')
  await prisma().$transaction(async (tx) => {
    await lockInstanceAdminRole(tx, actor)
    await tx.$executeRaw`INSERT INTO pgboss.job (name) VALUES (${name})`
    await recordEvent(tx, actor, { action: 'job.run', resource: { type: 'job', id: name } })
  })
  log.info('an instance admin acted', { action: 'job.run', instanceAdmin: actor.userId, job: name })
}
