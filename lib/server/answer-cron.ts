import { config } from '@/lib/base/config/env'
import { isSameCredential } from '@/lib/base/credentials/find-match'
import { answerWith } from '@/lib/base/http/answers'
import { log } from '@/lib/base/log/log'
import { runWaitingJobs } from './run-waiting-jobs'
import { makeToken } from './start-background'

/** Less than the route lets the platform wait (`maxDuration`), by what work under way may take longer. */
const longestMs = 240_000

/**
 * GET /api/cron: background work, at the call of the platform's scheduler, which sends `Authorization: Bearer` with
 * CRON_SECRET (as Vercel does). Without that setting the address is not there.
 */
export async function answerCron(request: Request): Promise<Response> {
  const secret = config().CRON_SECRET
  if (secret === undefined) return answerWith(404, { status: 'not found', reason: 'CRON_SECRET is not set' })
  if (!isSameCredential(request.headers.get('authorization') ?? '', `Bearer ${secret}`)) {
    return answerWith(
      401,
      { status: 'refused', reason: 'send CRON_SECRET' },
      { 'www-authenticate': 'Bearer' },
    )
  }
  try {
    return answerWith(200, { status: 'done', waiting: await runWaitingJobs(makeToken, longestMs) })
  } catch (error) {
    log.error('background jobs could not be run', { error })
    return answerWith(503, { status: 'failed', reason: 'see the log' })
  }
}
