import type { ServerResponse } from 'node:http'
import { isOutage } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'

/** When a page last failed because the database is away, in milliseconds since 1970. */
const lastOutage = () => remember('page-outage', () => ({ at: 0 }))

/** So long after such a failure a page's 500 counts as one; Next tells of an error a moment before it answers. */
const recentMs = 2_000

/** Notes and logs what a page failed of. Next calls it, by instrumentation.ts, for every error that a page did not expect. */
export function notePageError(error: unknown): void {
  if (!isOutage(error)) {
    log.error('a page failed', { error })
    return
  }
  log.warn('the database does not answer', { name: 'page', error })
  lastOutage().at = Date.now()
}

/**
 * Lets a page that fails because the database is away be answered 503 with Retry-After, where Next knows 500 alone. The page
 * itself stays Next's (app/error.tsx). See decision 107.
 * @param res whose headers are not sent yet
 */
export function tellPageOutage(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (status: number, ...rest: unknown[]) => ServerResponse
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    if (status !== 500 || Date.now() - lastOutage().at > recentMs) return writeHead(status, ...rest)
    res.setHeader('retry-after', String(outageRetrySeconds))
    return writeHead(503, ...rest)
  }) as typeof res.writeHead
}
