import { createHash, timingSafeEqual } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import { log } from '@/lib/base/log/log'
import { runWaitingJobs } from './run-waiting-jobs'
import { makeToken } from './start-background'

/** Less than the route lets the platform wait (`maxDuration`), by what work under way may take longer. */
const longestMs = 240_000

const answer = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })

/**
 * GET /api/cron: background work, at the call of the platform's scheduler, which sends `Authorization: Bearer` with
 * CRON_SECRET (as Vercel does). Without that setting the address is not there.
 */
export async function answerCron(request: Request): Promise<Response> {
  const secret = config().CRON_SECRET
  if (secret === undefined) return answer(404, { status: 'not found', reason: 'CRON_SECRET is not set' })
  if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${secret}`)) {
    return answer(401, { status: 'refused', reason: 'send CRON_SECRET' }, { 'www-authenticate': 'Bearer' })
  }
  try {
    return answer(200, { status: 'done', waiting: await runWaitingJobs(makeToken, longestMs) })
  } catch (error) {
    log.error('background jobs could not be run', { error })
    return answer(503, { status: 'failed', reason: 'see the log' })
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in a time that tells nothing of either. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
