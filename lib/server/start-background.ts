import { startJobs } from './start-jobs'

/** Starts the background jobs. Serving does not wait for them: what is to be sent is in the database and goes out as soon
 * as they run. */
export function startBackground(): void {
  startJobs(async (signIn) => {
    const { makeLogoutToken } = await import('@/lib/edges/oauth/sign-out/logout-token')
    return makeLogoutToken(signIn)
  }).catch((error) => console.error(`background jobs did not start: ${error.message}`))
}
