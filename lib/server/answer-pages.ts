import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { isOutage } from '@/lib/base/db/database-errors'
import { outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import {
  cookieValue,
  renewedSessionCookie,
  sessionCookieName,
} from '@/lib/features/identity/sessions/session-cookie'
import { policyHeader, setPagePolicy } from './content-security-policy'
import type { NodeHandler } from './dispatch'

/**
 * Returns the handler for pages. It sets their Content-Security-Policy, renews the session cookie, starts to
 * render pages one after the other, and responds with 503 if a page fails because the database is
 * unavailable.
 * @param render renders the auth pages and passes all other requests to Next
 */
export function answerPages(render: NodeHandler): NodeHandler {
  const renderPage = pagesInTurn(render)
  return async (req, res) => {
    const path = (req.url as string).split('?', 1)[0] as string
    setPagePolicy(req, res, path)
    await renewSession(req, res)
    reportPageOutage(res)
    return renderPage(req, res)
  }
}

/**
 * Replaces the session cookie of a GET request for an HTML page if a former SECRET_KEY encrypted the cookie.
 * Next appends the page's cookies after the cookie that is set here. If the page also sets the session
 * cookie, browsers keep the page's value.
 */
export async function renewSession(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' || !req.headers.accept?.includes('text/html')) return
  const cookie = await renewedSessionCookie(cookieValue(req.headers.cookie, sessionCookieName()))
  if (cookie) res.appendHeader('set-cookie', cookie)
}

/**
 * The total idle time of the event loop since the last page started to render, after which the next page
 * starts, in milliseconds. Also the interval at which the idle time is checked.
 */
const idleMs = 10

/**
 * The time after which the next page starts to render even if the event loop was not idle, in milliseconds.
 */
const longestMs = 1_000

/**
 * Returns a handler that starts to render pages one after the other. If many pages rendered at the same time,
 * every token request would wait for all of them. The next page starts when the last one is complete, when
 * the event loop was idle because the last page waits for the database, a password hash, or a slow client, or
 * after `longestMs`. See ADR 0034.
 * @param render renders pages; requests that get no Content-Security-Policy, such as those for files, start
 * immediately
 */
export function pagesInTurn(render: NodeHandler): NodeHandler {
  const line: (() => void)[] = []
  let last:
    | { res: ServerResponse; at: number; loop: ReturnType<typeof performance.eventLoopUtilization> }
    | undefined
  let looking: NodeJS.Timeout | undefined

  const isFree = (): boolean =>
    last === undefined ||
    performance.eventLoopUtilization(last.loop).idle >= idleMs ||
    performance.now() - last.at >= longestMs

  const next = (): void => {
    line.shift()?.()
    if (line.length > 0) return
    clearInterval(looking)
    looking = undefined
  }

  const begin = (res: ServerResponse): void => {
    last = { res, at: performance.now(), loop: performance.eventLoopUtilization() }
    res.once('close', () => {
      if (last?.res !== res) return
      last = undefined
      next()
    })
  }

  return async (req, res) => {
    if (req.headers[policyHeader] === undefined) return render(req, res)
    if (line.length > 0 || !isFree()) {
      looking ??= setInterval(() => isFree() && next(), idleMs).unref()
      await new Promise<void>((resolve) => line.push(resolve))
    }
    // If the client disconnected while the request waited, start the next page instead.
    if (res.destroyed) return next()
    begin(res)
    return render(req, res)
  }
}

/**
 * Returns this process's record of when a page last failed because the database was unavailable, as a Unix
 * timestamp in ms, or 0 if no page has failed for this reason.
 */
const lastOutage = () => remember('page-outage', () => ({ at: 0 }))

/**
 * The time for which 500 responses are attributed to a reported outage, in milliseconds. Next reports an
 * error shortly before it responds.
 */
const recentMs = 2_000

/**
 * Logs an unexpected error from a page, a route, or a server action. If the cause was that the database is
 * unavailable, also records the current time for `reportPageOutage`. Next calls this function through
 * instrumentation.ts.
 */
export function notePageError(error: unknown): void {
  if (!isOutage(error)) {
    log.error('a page failed', { error })
    return
  }
  log.warn('the database does not answer', { name: 'page', error })
  lastOutage().at = Date.now()
}

/**
 * Changes a response's status from 500 to 503 and adds Retry-After if a page of this process has just failed
 * because the database was unavailable. Next renders the body (app/error.tsx). See ADR 0038.
 * @param res a response whose headers have not been sent yet
 */
export function reportPageOutage(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (status: number, ...rest: unknown[]) => ServerResponse
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    if (status !== 500 || Date.now() - lastOutage().at > recentMs) return writeHead(status, ...rest)
    res.setHeader('retry-after', String(outageRetrySeconds))
    return writeHead(503, ...rest)
  }) as typeof res.writeHead
}
