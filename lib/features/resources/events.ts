import { randomUUID } from 'node:crypto'
import type PgBoss from 'pg-boss'
import type { Db } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { insertJobs, jobId } from '@/lib/base/jobs/insert-jobs'
import { type StopWork, workFairlyByReceiver } from '@/lib/base/jobs/workers'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { registeredApis } from './apis'

/**
 * Security events (RFC 8417) for APIs with an event URL. An API that validates JWTs itself can use these
 * events to reject JWTs before they expire. A queue job delivers each event (RFC 8935). If a delivery fails
 * permanently, instance admins see it in the list of failed jobs.
 */

/**
 * An event: all tokens of an authorization were revoked, or the user's sign-in to the app ended. `id` is the
 * same for every delivery attempt, so that the API can ignore duplicates.
 */
export type ApiEvent = {
  id: string
  apiId: string
  type: 'tokens-revoked' | 'session-revoked'
  userId: string
  clientId: string
  /** The ID by which the app identifies the sign-in. Set only for `session-revoked`. */
  sid?: string
  /** The Unix timestamp of the event. */
  at: number
}

export const apiEventQueue = 'api-events'

/**
 * The settings for retries. The delay before the first retry is a random time between 10 and 20 seconds. Each
 * later delay is about twice the previous one. The tenth and last retry is about three to six hours after the
 * first attempt.
 */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

const jobOf = (event: ApiEvent) => ({
  id: event.id,
  data: { ...event, receiver: event.apiId },
  ...retries,
  expireInSeconds: 60,
})

/**
 * Returns whether any API receives events. If no API does, the callers skip the statements that find and
 * queue events.
 */
const hasReceivers = async (): Promise<boolean> =>
  (await registeredApis()).some(({ eventsUrl }) => eventsUrl !== null)

/**
 * Queues `tokens-revoked` events for authorizations that end. For each authorization, every API that has an
 * event URL and that the authorization covers receives one event.
 * @param tx the transaction that ends the authorizations; call this function before the transaction deletes
 * them
 */
export async function queueTokensRevoked(tx: Db, authorizationIds: readonly string[]): Promise<void> {
  if (!(await hasReceivers())) return
  const rows = await tx.$queryRaw<Pick<ApiEvent, 'apiId' | 'userId' | 'clientId' | 'at'>[]>`
    SELECT g.api_id AS "apiId", z.user_id::text AS "userId", z.client_id AS "clientId",
           extract(epoch FROM now())::int AS at
      FROM api_grants g JOIN authorizations z ON z.id = g.authorization_id JOIN apis a ON a.id = g.api_id
     WHERE g.authorization_id = ANY(${authorizationIds}::uuid[]) AND a.events_url IS NOT NULL`
  const events = rows.map((row): ApiEvent => ({ ...row, id: randomUUID(), type: 'tokens-revoked' }))
  await insertJobs(tx, apiEventQueue, events.map(jobOf))
}

const findReceivers = statement<
  { signInId: string } & Pick<ApiEvent, 'apiId' | 'userId' | 'clientId' | 'at'> & { sid: string },
  [signInIds: readonly string[]]
>(
  'api-events-of-sign-ins',
  `SELECT s.id AS "signInId", g.api_id AS "apiId", b.user_id::text AS "userId", s.client_id AS "clientId", s.sid,
          extract(epoch FROM s.ended_at)::int AS at
     FROM app_sign_ins s JOIN sessions b ON b.id = s.session_id
     JOIN authorizations z ON z.user_id = b.user_id AND z.client_id = s.client_id
     JOIN api_grants g ON g.authorization_id = z.id
     JOIN apis a ON a.id = g.api_id AND a.events_url IS NOT NULL
    WHERE s.id = ANY($1::uuid[])`,
)

/**
 * Queues `session-revoked` events for app sign-ins that have ended. For each sign-in, every API that has an
 * event URL and that the user's authorization of the app covers receives one event. The ID of each job is
 * derived from the sign-in and the API, so a repeated call does not queue an event twice.
 * @param boss a started pg-boss instance
 */
export async function queueSessionsRevoked(boss: PgBoss, signInIds: readonly string[]): Promise<void> {
  if (!(await hasReceivers())) return
  const rows = await findReceivers(signInIds)
  if (rows.length === 0) return
  const events = rows.map(
    ({ signInId, ...row }): ApiEvent => ({
      ...row,
      id: jobId(`${signInId} ${row.apiId}`),
      type: 'session-revoked',
    }),
  )
  await boss.insert(events.map((event) => ({ name: apiEventQueue, ...jobOf(event) })))
}

/**
 * A function that creates the security event token for an event.
 * @returns the token and the API's event URL, or undefined if the API was deleted or no longer receives
 * events
 */
export type EventTokenMaker = (event: ApiEvent) => Promise<{ url: string; token: string } | undefined>

/**
 * Starts to deliver queued events. An API that does not respond delays only its own events.
 * @param boss a started pg-boss instance
 * @returns a function that stops the deliveries, as for `workFairlyByReceiver`
 */
export const runApiEvents = (boss: PgBoss, makeToken: EventTokenMaker): Promise<StopWork> =>
  workFairlyByReceiver<ApiEvent & { receiver: string }>(
    boss,
    apiEventQueue,
    { longestMs: 45_000 },
    async ({ data }) => {
      try {
        const message = await makeToken(data)
        if (message) await push(message)
        return undefined
      } catch (error) {
        return { retry: (error as Error).message }
      }
    },
  )

/**
 * Sends a token to an API (RFC 8935 section 2).
 * @throws Error if the request fails or the status code of the response is not 2xx
 */
async function push({ url, token }: { url: string; token: string }): Promise<void> {
  const { status } = await guardedFetch(url, {
    purpose: 'webhook',
    method: 'POST',
    headers: {
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      'user-agent': 'Latchkey-Events',
    },
    body: token,
    timeoutMs: 10_000,
    maxBytes: 2_048,
    truncate: true,
  })
  if (status < 200 || status > 299) throw new Error(`${url} responded with ${status}.`)
}
