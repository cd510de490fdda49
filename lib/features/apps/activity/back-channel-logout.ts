import { randomUUID } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { type StopWork, workFairlyByReceiver } from '@/lib/base/jobs/workers'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { repeat } from '@/lib/base/process/background'
import { queueSessionsRevoked } from '@/lib/features/resources/events'
import { noteFailure } from './failures'

/**
 * Records a sign-in and locks the session's row. Does nothing if the sign-in is already recorded or the
 * session no longer exists. If another transaction ends the session at the same moment, either this statement
 * sees the change and stores the sign-in as ended, or the other transaction waits for the lock and then ends
 * this sign-in too.
 */
const insert = statement<never, [id: string, sessionId: string, clientId: string, sid: string]>(
  'app-sign-in-record',
  `INSERT INTO app_sign_ins (id, session_id, client_id, sid, ended_at)
   SELECT $1, s.id, $3, $4, s.revoked_at FROM sessions s WHERE s.id = $2 FOR SHARE
   ON CONFLICT (session_id, client_id, sid) DO NOTHING`,
)

/**
 * Records that an app signed a user in during a browser session, so that the app can be notified when the
 * session ends.
 * @param sid the `sid` claim, which identifies the sign-in to the app
 */
export async function recordSignIn(sessionId: string, clientId: string, sid: string): Promise<void> {
  await insert(randomUUID(), sessionId, clientId, sid)
}

const end = statement<never, [clientId: string, sid: string]>(
  'app-sign-in-end',
  'UPDATE app_sign_ins SET ended_at = now() WHERE client_id = $1 AND sid = $2 AND ended_at IS NULL',
)

/**
 * Marks a user's sign-in to one app as ended. Later, `queueEnded` queues the app's notification. The user's
 * browser session does not end.
 */
export async function endSignIn(clientId: string, sid: string): Promise<void> {
  await end(clientId, sid)
}

export const logoutQueue = 'backchannel-logout'

/** A sign-in that ended, with the IDs that identify it to the app. */
export type EndedSignIn = { clientId: string; userId: string; sid: string }

/**
 * The data of a logout notification: the ID of a stored sign-in, or a copy of a sign-in that was deleted with
 * its user. `receiver` is the app's client ID.
 */
export type LogoutJob = ({ id: string } | { signIn: EndedSignIn }) & { receiver?: string }

/**
 * The settings for retries. The delay before the first retry is a random time between 10 and 20 seconds. Each
 * later delay is about twice the previous one. The tenth and last retry is about three to six hours after the
 * first attempt. See ADR 0006.
 */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/**
 * Returns the job that notifies an app of a sign-out.
 * @param id the job's ID. Of two jobs with the same ID, only one is queued.
 * @param clientId the app, which is the job's receiver. Each process divides its capacity fairly among
 * receivers (`workFairlyByReceiver`).
 */
export const logoutJob = (id: string, clientId: string, data: LogoutJob) => ({
  id,
  data: { ...data, receiver: clientId },
  ...retries,
  expireInSeconds: 60,
})

/** The app's logout URL and the signed token that identifies the sign-in. */
export type LogoutMessage = { address: string; token: string }

/**
 * A function that creates the logout message for a sign-in (OpenID Connect Back-Channel Logout section 2.4).
 * @returns undefined if the app was deleted, disabled, or no longer accepts logout notifications
 */
export type LogoutTokenMaker = (signIn: EndedSignIn) => Promise<LogoutMessage | undefined>

/**
 * Makes one attempt to notify an app that a sign-in has ended (Back-Channel Logout section 2.5), and deletes
 * the stored sign-in on success. If the app no longer accepts notifications, only deletes the sign-in. If the
 * sign-in was already deleted, does nothing. Does not follow redirects.
 * @param last whether this is the last attempt. If the last attempt fails, the failure is logged and shown to
 * the app's developer.
 * @throws Error with a reason that can be shown to the instance admin and the app's developer
 */
async function tellApp(job: LogoutJob, last: boolean, makeToken: LogoutTokenMaker): Promise<void> {
  const signIn = 'signIn' in job ? job.signIn : await readSignIn(job.id)
  if (!signIn) return
  const { clientId } = signIn
  try {
    const message = await makeToken(signIn)
    if (message) await post(message)
  } catch (error) {
    if (last) {
      log.info('a sign-out notification could not be delivered', { app: clientId, error })
      noteUndelivered(clientId, error as Error)
    }
    throw error
  }
  if ('id' in job) await prisma().appSignIn.deleteMany({ where: { id: job.id } })
}

/** Returns a stored sign-in, or undefined if it was deleted, for example with its app or user. */
async function readSignIn(id: string): Promise<EndedSignIn | undefined> {
  const found = await prisma().appSignIn.findUnique({
    where: { id },
    select: { clientId: true, sid: true, session: { select: { userId: true } } },
  })
  return found ? { clientId: found.clientId, sid: found.sid, userId: found.session.userId } : undefined
}

async function post({ address, token }: LogoutMessage): Promise<void> {
  const { status } = await guardedFetch(address, {
    purpose: 'sign-out',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Latchkey-Logout' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    timeoutMs: 10_000,
    maxBytes: 2_048,
    truncate: true,
  })
  if (status < 200 || status > 299) throw new Error(`${address} responded with ${status}.`)
}

const noteUndelivered = (clientId: string, { message }: Error) =>
  noteFailure({
    clientId,
    endpoint: 'backchannel_logout',
    error: 'logout_not_delivered',
    description: 'The app could not be notified of a sign-out.',
    reason: `A back-channel logout could not be delivered after several attempts: ${message}`,
  })

/**
 * Queues logout notifications for all sign-ins of users who are about to be deleted. The jobs contain copies
 * of the sign-ins and are queued in the same transaction as the deletion, because sign-ins are deleted with
 * their users. Jobs are also queued for earlier sign-outs whose notifications have not been delivered yet.
 * @param tx the transaction that deletes the users
 */
export async function tellOfDeletion(tx: Db, userIds: readonly string[]): Promise<void> {
  // Lock the sessions. A concurrent sign-in is then either already recorded, or `recordSignIn` waits for the
  // session's row and finds it deleted.
  await tx.$queryRaw`SELECT id FROM sessions WHERE user_id = ANY(${userIds}::uuid[]) ORDER BY id FOR UPDATE`
  const signIns = await tx.appSignIn.findMany({
    where: { session: { userId: { in: [...userIds] } } },
    select: { clientId: true, sid: true, session: { select: { userId: true } } },
  })
  const jobs = signIns.map(({ clientId, sid, session: { userId } }) =>
    logoutJob(randomUUID(), clientId, { signIn: { clientId, userId, sid } }),
  )
  await insertJobs(tx, logoutQueue, jobs)
}

/**
 * Returns up to 200 ended sign-ins for which no notification has been queued, in the order in which they
 * ended.
 */
const findEnded = statement<{ id: string; clientId: string }, []>(
  'app-sign-ins-ended',
  `SELECT id, client_id AS "clientId" FROM app_sign_ins
    WHERE ended_at IS NOT NULL AND queued_at IS NULL ORDER BY ended_at LIMIT 200`,
)

const markQueued = statement<never, [ids: string[]]>(
  'app-sign-ins-queued',
  'UPDATE app_sign_ins SET queued_at = now() WHERE id = ANY($1::uuid[])',
)

/**
 * Queues the logout notifications for up to 200 sign-ins that ended, and the corresponding events for APIs.
 * Each notification's job ID is the sign-in's ID, and each event's job ID is derived from the IDs of the
 * sign-in and the API. Concurrent or interrupted runs therefore queue each job only once.
 */
async function queueEnded(boss: PgBoss): Promise<void> {
  const ended = await findEnded()
  if (ended.length === 0) return
  await queueSessionsRevoked(
    boss,
    ended.map(({ id }) => id),
  )
  await boss.insert(
    ended.map(({ id, clientId }) => ({ name: logoutQueue, ...logoutJob(id, clientId, { id }) })),
  )
  await markQueued(ended.map(({ id }) => id))
}

/**
 * Starts to queue and send logout notifications. This work continues until `boss` stops or the returned
 * function is called. An app that does not respond delays only its own notifications. A job that fails
 * permanently stays in the instance admin's list of failed jobs.
 * @param boss a started pg-boss instance
 * @returns a function that stops the work (see `workFairlyByReceiver`)
 */
export async function runLogouts(boss: PgBoss, makeToken: LogoutTokenMaker): Promise<StopWork> {
  const stop = await workFairlyByReceiver<LogoutJob>(
    boss,
    logoutQueue,
    { longestMs: 45_000 },
    ({ data, isLast }) =>
      tellApp(data, isLast, makeToken).then(
        () => undefined,
        ({ message }: Error) => ({ retry: message }),
      ),
  )
  const stopQueueing = repeat('queueing sign-outs', () => queueEnded(boss))
  boss.once('stopped', stopQueueing)
  return (graceMs) => {
    stopQueueing()
    return stop(graceMs)
  }
}
