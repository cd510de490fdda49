import { createHash } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { unseal } from '@/lib/base/credentials/seal'
import { deleteInBatches, withLongTimeout } from '@/lib/base/db/batches'
import { firstIdAt } from '@/lib/base/db/paging'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { type StopWork, workFairlyByReceiver } from '@/lib/base/jobs/workers'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { repeat } from '@/lib/base/process/background'
import { type DescribedEvent, describeEvent } from '@/lib/features/audit/export-events'
import { nameEvents } from '@/lib/features/audit/name-events'
import { batchListener } from '@/lib/features/audit/record-event'
import { signPayload } from '@/lib/features/webhooks/deliver'
import { allowanceFor, installationId } from './read-stream'
import { noteFailure, type Trouble } from './stop-stream'

/** The maximum number of events in a message. */
const mostEvents = 500
/** The time after which a job sends no further message, in milliseconds. */
const turnMs = 60_000

/**
 * The URL and the secrets of a stream that is assigned to a job. Unless this job ends earlier, the stream is
 * not assigned to another job until two minutes after this job last called `hold`.
 */
type Held = {
  url: string
  sealedSecret: Uint8Array
  sealedPreviousSecret: Uint8Array | null
}

const hold = statement<Held, [placeId: string, jobId: string]>(
  'audit-stream-hold',
  `UPDATE audit_streams SET next_at = now() + interval '2 minutes'
    WHERE place_id = $1 AND job_id = $2 AND disabled_at IS NULL
    RETURNING url, sealed_secret AS "sealedSecret",
      CASE WHEN previous_secret_expires_at > now() THEN sealed_previous_secret END AS "sealedPreviousSecret"`,
)

/**
 * Removes delivered events, and events that no longer exist, from the queue. The same statement records the
 * success and resets the stream's failures. Changes nothing if the stream is no longer assigned to the job.
 */
const moveOn = statement<never, [placeId: string, jobId: string, positions: string[]]>(
  'audit-stream-move-on',
  `WITH held AS (
     UPDATE audit_streams SET last_success_at = now(), failing_since = NULL, failures = 0, last_error = NULL
      WHERE place_id = $1 AND job_id = $2 RETURNING place_id)
   DELETE FROM audit_waiting w USING held
    WHERE w.place_id = held.place_id AND w.position = ANY($3::bigint[])`,
)

const letGo = statement<never, [placeId: string, jobId: string]>(
  'audit-stream-let-go',
  'UPDATE audit_streams SET next_at = now() WHERE place_id = $1 AND job_id = $2 AND disabled_at IS NULL',
)

/**
 * Sends a stream's queued events in order, one message at a time, until the queue is empty or one minute has
 * passed. An event is removed from the queue only after the receiver responds to its message with a 2xx
 * status. If the process ends before the response, the event is sent again with the same ID. If the receiver
 * responds that a message with several events is too large (413), the job halves the number of events per
 * message. After any other failure, the job records the failure and ends.
 * @param jobId the job that the stream is assigned to; the function stops if the stream is assigned to
 * another job, disabled, or deleted
 */
export async function sendWaiting(placeId: string, jobId: string): Promise<void> {
  const until = performance.now() + turnMs
  let most = mostEvents
  while (performance.now() < until) {
    const [stream] = await hold(placeId, jobId)
    if (!stream) return
    const { positions, events } = await readBatch(placeId, most)
    if (positions.length === 0) break
    const trouble = events.length > 0 ? await send(placeId, stream, events) : undefined
    if (trouble?.tooLarge && positions.length > 1) {
      most = Math.floor(positions.length / 2)
      continue
    }
    if (trouble) return noteFailure(placeId, jobId, trouble)
    await moveOn(placeId, jobId, positions)
  }
  await letGo(placeId, jobId)
}

/**
 * Reads up to `most` queued events, oldest first. For an event that was deleted after AUDIT_DAYS, returns
 * only the position in the queue, so the event is not sent.
 */
async function readBatch(
  placeId: string,
  most: number,
): Promise<{ positions: string[]; events: DescribedEvent[] }> {
  const waiting = await prisma().auditWaiting.findMany({
    where: { placeId },
    orderBy: { position: 'asc' },
    take: most,
  })
  const rows = await prisma().auditEvent.findMany({
    where: { id: { in: waiting.map((row) => row.eventId) } },
  })
  const byId = new Map((await nameEvents(rows)).map((event) => [event.id, describeEvent(event)]))
  return {
    positions: waiting.map(({ position }) => String(position)),
    events: waiting.flatMap(({ eventId }) => byId.get(eventId) ?? []),
  }
}

async function send(placeId: string, stream: Held, events: DescribedEvent[]): Promise<Trouble | undefined> {
  const body = JSON.stringify(events)
  const ids = events.map(({ id }) => id).join()
  const id = `aud_${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`
  try {
    const secrets = [stream.sealedSecret, stream.sealedPreviousSecret]
      .filter((secret) => secret !== null)
      .map((secret) => unseal(secret, 'audit-stream-secret'))
    const { status } = await guardedFetch(stream.url, {
      purpose: 'audit-stream',
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Latchkey-Audit',
        ...signPayload(secrets, { id, body, at: new Date() }),
      },
      timeoutMs: 15_000,
      maxBytes: 2_048,
      truncate: true,
      allowance: allowanceFor(placeId, stream.url),
    })
    if (status >= 200 && status < 300) return undefined
    return {
      text: `The address responded with status ${status}.`,
      gone: status === 410,
      tooLarge: status === 413,
    }
  } catch (error) {
    return {
      text: error instanceof Error ? error.message : 'The address could not be reached.',
      gone: false,
      tooLarge: false,
    }
  }
}

export const streamQueue = 'audit-stream'

type StreamJob = { placeId: string; receiver?: string }

/**
 * Assigns a new job to each active stream that is due and has queued events. Unless this job ends earlier, no
 * replica creates another job for the stream until two minutes after the assignment or after this job's last
 * call of `hold`.
 */
const takeDue = statement<{ placeId: string; jobId: string }, []>(
  'audit-streams-due',
  `UPDATE audit_streams s SET job_id = gen_random_uuid(), next_at = now() + interval '2 minutes'
    WHERE disabled_at IS NULL AND next_at <= now()
      AND EXISTS (SELECT 1 FROM audit_waiting w WHERE w.place_id = s.place_id)
    RETURNING place_id AS "placeId", job_id AS "jobId"`,
)

/** Creates a job for each active stream that is due and has queued events. */
async function queueDue(boss: PgBoss): Promise<void> {
  const due = await takeDue()
  if (due.length === 0) return
  await boss.insert(
    due.map(({ placeId, jobId }) => ({
      id: jobId,
      name: streamQueue,
      data: { placeId, receiver: placeId },
      retryLimit: 0,
      expireInSeconds: 120,
    })),
  )
}

/**
 * Starts to send queued audit events to streams. Sending continues until `boss` stops or the returned
 * function is called. Each stream has its own job, so a receiver that does not respond delays only its own
 * stream.
 * @param boss a pg-boss instance that has been started
 * @returns a function that stops sending; it treats running jobs like the function that
 * `workFairlyByReceiver` returns
 */
export async function runStreams(boss: PgBoss): Promise<StopWork> {
  const stop = await workFairlyByReceiver<StreamJob>(
    boss,
    streamQueue,
    { perReceiver: 1, longestMs: 110_000 },
    async ({ id, data }) => {
      await sendWaiting(data.placeId, id)
      return undefined
    },
  )
  const stopQueueing = repeat('queueing audit streams', () => queueDue(boss))
  boss.once('stopped', stopQueueing)
  return (graceMs) => {
    stopQueueing()
    return stop(graceMs)
  }
}

/**
 * Queues events for the streams of their workspaces and of the instance, in the transaction that records the
 * events. An event that is rolled back is not sent, and a committed event is sent even if the process ends
 * immediately afterwards. See ADR 0032.
 */
export const addToStreams = batchListener(async (tx, _actor, events) => {
  const places = events.flatMap(({ record: { workspaceId }, eventId }) =>
    [installationId, workspaceId].flatMap((placeId) => (placeId ? [{ placeId, eventId }] : [])),
  )
  const [placeIds, eventIds] = [places.map(({ placeId }) => placeId), places.map(({ eventId }) => eventId)]
  await tx.$executeRaw`
    INSERT INTO audit_waiting (place_id, event_id)
    SELECT place_id, event_id FROM unnest(${placeIds}::uuid[], ${eventIds}::uuid[]) AS waiting (place_id, event_id)
      JOIN audit_streams USING (place_id)`
})

/**
 * The time after which a cleanup run starts no further batch, in milliseconds. The next run deletes the
 * remaining events.
 */
const longestMs = 10 * 60_000

const dayMs = 86_400_000

/**
 * Deletes the streams of workspaces that were deleted more than a week ago, or whose deletion is no longer
 * recorded. During that week, the stream can still send the deletion event. Also deletes queued events of
 * deleted streams, and queued events that are older than 30 days.
 * @param now the current time in milliseconds, for tests
 * @returns the number of deleted queued events
 */
export async function forgetWaiting(now = Date.now()): Promise<number> {
  // Read the IDs first, because Citus cannot delete rows based on a table with a different distribution.
  const over = await prisma().$queryRaw<{ placeId: string }[]>`
    SELECT place_id AS "placeId" FROM audit_streams s
     WHERE place_id <> ${installationId}::uuid AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = s.place_id)
       AND NOT EXISTS (SELECT 1 FROM deleted_workspaces
                        WHERE id = s.place_id AND deleted_at > ${new Date(now - 7 * dayMs)})`
  const gone = over.map(({ placeId }) => placeId)
  if (gone.length > 0) await prisma().auditStream.deleteMany({ where: { placeId: { in: gone } } })
  const old = {
    table: 'audit_waiting',
    key: 'position',
    where: `event_id < '${firstIdAt(new Date(now - 30 * dayMs))}'
      OR NOT EXISTS (SELECT 1 FROM audit_streams s WHERE s.place_id = audit_waiting.place_id)`,
  }
  return withLongTimeout((db) => deleteInBatches(old, performance.now() + longestMs, db))
}
