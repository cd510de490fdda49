import { createHash } from 'node:crypto'
import { unseal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { type DescribedEvent, describeEvent } from '@/lib/features/audit/export/describe-event'
import { nameEvents } from '@/lib/features/audit/name-events'
import { signPayload } from '@/lib/features/webhooks/sign-payload'
import { allowanceFor } from './place'
import { noteFailure, type Trouble } from './stop-stream'

/** Events in one message, and how long one job goes on before it lets others have a turn, in milliseconds. */
const mostEvents = 500
const turnMs = 60_000

/** A stream that a job holds: nobody else sends for it until two minutes after the job's last sign of life. */
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

/** What was delivered waits no longer, exactly if that is noted. Takes the job too: one that lost its hold moves nothing. */
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
 * Sends what waits for a stream, in the order in which it was written, a message at a time. An event leaves the queue after
 * a 2xx for its message and not before: whoever ends in between has it sent again, under the same ids. To a receiver for
 * which a message is too large (413) half as many are sent at once, until the job's turn ends.
 * @param jobId the job that may do so; one that was given up on meanwhile finds that it may not
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

/** What comes next. An event that AUDIT_DAYS has removed meanwhile has a position, and nothing to be sent. */
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
      text: `The address answered with status ${status}.`,
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
