export const logoutQueue = 'backchannel-logout'

/** A sign-in that ended, as an app knows it. */
export type EndedSignIn = { clientId: string; userId: string; sid: string }

/** What a job tells an app of: a sign-in that ended; or all that has to be said of one, where it went with its person. */
export type LogoutJob = ({ id: string } | { signIn: EndedSignIn }) & { receiver?: string }

/** 10 s, doubling: the tenth and last retry comes after about three hours. See decision 086. */
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
