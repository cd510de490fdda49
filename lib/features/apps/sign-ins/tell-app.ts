import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { noteFailure } from '../failures/note-failure'
import type { EndedSignIn, LogoutJob } from './logout-job'

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
 * @throws Error with what went wrong, fit for the operator and the app's developer
 */
export async function tellApp(job: LogoutJob, last: boolean, makeToken: LogoutTokenMaker): Promise<void> {
  const signIn = 'signIn' in job ? job.signIn : await readSignIn(job.id)
  if (!signIn) return
  const { clientId } = signIn
  try {
    const message = await makeToken(signIn)
    if (message) await post(message)
  } catch (error) {
    if (last) {
      log.info('an app could not be told of a sign-out', { app: clientId, error })
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
  if (status < 200 || status > 299) throw new Error(`${address} answered ${status}.`)
}

const noteUndelivered = (clientId: string, { message }: Error) =>
  noteFailure({
    clientId,
    endpoint: 'backchannel_logout',
    error: 'logout_not_delivered',
    description: 'The app could not be told that a person has signed out.',
    reason: `A sign-out could not be delivered, and is given up after the last of several tries: ${message}`,
  })
