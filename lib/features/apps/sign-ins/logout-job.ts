export const logoutQueue = 'backchannel-logout'

/** A sign-in that ended, as an app knows it. */
export type EndedSignIn = { clientId: string; userId: string; sid: string }

/** What a job tells an app of: a sign-in that ended; or all that has to be said of one, where it went with its person. */
export type LogoutJob = { id: string } | { signIn: EndedSignIn }

/** 10 s, doubling: the tenth and last retry comes after about three hours. See decision 086. */
const retries = { retryLimit: 10, retryDelay: 10, retryBackoff: true }

/** @param id the job's own: of two with the same one is queued */
export const logoutJob = (id: string, data: LogoutJob) => ({ id, data, ...retries, expireInSeconds: 60 })
