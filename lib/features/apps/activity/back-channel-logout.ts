import { randomUUID } from 'node:crypto'
import type PgBoss from 'pg-boss'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { insertJobs } from '@/lib/base/jobs/insert-jobs'
import { type StopWork, workFairly } from '@/lib/base/jobs/workers'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { repeat } from '@/lib/base/process/background'
import { noteFailure } from './failures'

/** The session's row is locked: one that ends at this moment has either ended before, or waits and finds this sign-in. */
const insert = statement<never, [id: string, sessionId: string, clientId: string, sid: string]>(
  'app-sign-in-record',
  `INSERT INTO app_sign_ins (id, session_id, client_id, sid, ended_at)
   SELECT $1, s.id, $3, $4, s.revoked_at FROM sessions s WHERE s.id = $2 FOR SHARE
   ON CONFLICT (session_id, client_id, sid) DO NOTHING`,
)

/**
 * Notes that an app signed a person in under a browser session, so that it can be told of the session's end.
 * @param sid what the app knows the sign-in by
 */
export async function recordSignIn(sessionId: string, clientId: string, sid: string): Promise<void> {
  await insert(randomUUID(), sessionId, clientId, sid)
}

const end = statement<never, [clientId: string, sid: string]>(
  'app-sign-in-end',
  'UPDATE app_sign_ins SET ended_at = now() WHERE client_id = $1 AND sid = $2 AND ended_at IS NULL',
)

/** Ends a person's sign-in to one app, whatever becomes of the browser session; the app is told. */
export async function endSignIn(clientId: string, sid: string): Promise<void> {
  await end(clientId, sid)
}

export const logoutQueue = 'backchannel-logout'

/** A sign-in that ended, as an app knows it. */
export type EndedSignIn = { clientId: string; userId: string; sid: string }

/** What a job tells an app of: a sign-in that ended; or all that has to be said of one, where it went with its person. */
export type LogoutJob = ({ id: string } | { signIn: EndedSignIn }) & { receiver?: string }

/** 10 s, doubling: the tenth and last retry comes after about three hours. See ADR 0008. */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/**
 * Returns the job that notifies an app of a sign-out.
 * @param id the job's own: of two with the same ID, one is queued
 * @param clientId the app, by which jobs share a process (`workFairly`)
 */
export const logoutJob = (id: string, clientId: string, data: LogoutJob) => ({
  id,
  data: { ...data, receiver: clientId },
  ...retries,
  expireInSeconds: 60,
})

/** Where an app wants to hear of a sign-out, and the signed token that says whose. */
export type LogoutMessage = { address: string; token: string }

/**
 * Makes the logout token of a sign-in (OpenID Connect Back-Channel Logout section 2.4).
 * @returns undefined for an app that is gone, disabled, or does not want to hear of it any more
 */
export type LogoutTokenMaker = (signIn: EndedSignIn) => Promise<LogoutMessage | undefined>

/**
 * Tries once to tell an app that a sign-in has ended (Back-Channel Logout section 2.5), and forgets the sign-in when it
 * heard. A redirect is not followed.
 * @param last no attempt will follow this one; the app's developer is told where it fails
 * @throws Error with what went wrong, fit for the instance admin and the app's developer
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

/** @returns undefined where the app or the person has gone */
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
 * Has the apps to which people are signed in told that they are signed out, for their accounts are about to be deleted. Sessions
 * and sign-ins go with a person, so what is to be said is queued in the transaction that deletes them; also what an app has
 * not heard yet of a sign-out before.
 * @param tx the transaction
 */
export async function tellOfDeletion(tx: Db, userIds: readonly string[]): Promise<void> {
  // A concurrent sign-in is recorded already, or `recordSignIn` waits for the session's row and then finds none.
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

/** Returns ended sign-ins whose apps have not been notified. */
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
 * Moves sign-ins that ended into the queue. A job has the sign-in's id, so that two replicas that do this at once, or one
 * that ends half-way, queue it once all the same.
 */
async function queueEnded(boss: PgBoss): Promise<void> {
  const ended = await findEnded()
  if (ended.length === 0) return
  await boss.insert(
    ended.map(({ id, clientId }) => ({ name: logoutQueue, ...logoutJob(id, clientId, { id }) })),
  )
  await markQueued(ended.map(({ id }) => id))
}

/**
 * Notifies apps of sign-outs from the queue until the process ends. An app that does not respond delays only its own
 * notifications. A job that fails for good stays in the instance admin's list of failed jobs.
 * @param boss started
 * @returns stops, as `workFairly`
 */
export async function runLogouts(boss: PgBoss, makeToken: LogoutTokenMaker): Promise<StopWork> {
  const stop = await workFairly<LogoutJob>(boss, logoutQueue, { longestMs: 45_000 }, ({ data, isLast }) =>
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
