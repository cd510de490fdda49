import { log } from '@/lib/base/log/log'
import { onShutdown } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import type { LogoutTokenMaker } from '@/lib/features/apps/activity/back-channel-logout'
import { startJobs } from './jobs'

/** Why the background jobs of this process do not run, for /readyz. */
const state = () => remember<{ trouble?: string }>('background-jobs', () => ({}))

/** Why background jobs do not run in this process; undefined while they do, or are just starting. */
export const backgroundTrouble = (): string | undefined => state().trouble

/** The first pause between two tries, and the longest, in milliseconds. */
const pauses = { first: 1_000, longest: 30_000 }

/**
 * Starts the background jobs, and tries again for as long as they do not start: the database may be away for a moment, and
 * of replicas that start together on an empty one all but one may be refused by it. Serving does not wait for them: what is
 * to be sent is in the database and goes out as soon as they run.
 * @param start for tests
 */
export function startBackground(start: typeof startJobs = startJobs, pause = pauses.first): void {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  const attempt = async (pauseMs: number): Promise<void> => {
    try {
      await start(makeToken)
      state().trouble = undefined
    } catch (error) {
      if (stopping) return
      state().trouble = error instanceof Error ? error.message : String(error)
      log.warn('background jobs did not start', { nextTryInSeconds: pauseMs / 1000, error })
      timer = setTimeout(() => void attempt(Math.min(pauseMs * 2, pauses.longest)), pauseMs).unref()
    }
  }
  onShutdown('starting background jobs', async () => {
    stopping = true
    clearTimeout(timer)
  })
  void attempt(pause)
}

/** Asks the OAuth engine, which is loaded only then. */
export const makeToken: LogoutTokenMaker = async (signIn) => {
  const { makeLogoutToken } = await import('@/lib/edges/oauth/engine/provider')
  return makeLogoutToken(signIn)
}
