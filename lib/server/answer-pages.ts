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
 * Handles requests for pages: sets their Content-Security-Policy, renews the session cookie, renders pages one after the
 * other, and returns 503 while the database is unavailable.
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
 * Replaces the session cookie of a request for an HTML page if a former SECRET_KEY encrypted the cookie. Next appends its
 * cookies to the cookie that is set here, so a session cookie that the page sets takes precedence.
 */
export async function renewSession(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' || !req.headers.accept?.includes('text/html')) return
  const cookie = await renewedSessionCookie(cookieValue(req.headers.cookie, sessionCookieName()))
  if (cookie) res.appendHeader('set-cookie', cookie)
}

/** The time for which the event loop must be idle before the next page starts to render, in milliseconds. */
const idleMs = 10

/** The maximum time until the next page starts to render, in milliseconds. */
const longestMs = 1_000

/**
 * Starts rendering pages one after the other. If many pages rendered at the same time, every token request would wait for all
 * of them. While a page waits for the database, a password hash, or a slow client, the event loop is idle and the next page
 * starts. See ADR 0034.
 * @param render renders pages; requests that get no Content-Security-Policy, such as those for files, start immediately
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
    // The client disconnected while the request waited.
    if (res.destroyed) return next()
    begin(res)
    return render(req, res)
  }
}

/**
 * Returns this process's record of when a page last failed because the database was unavailable, as a Unix timestamp in ms.
 */
const lastOutage = () => remember('page-outage', () => ({ at: 0 }))

/**
 * The maximum time between a reported error and its 500 response, in milliseconds. Next reports an error shortly before it
 * responds.
 */
const recentMs = 2_000

/**
 * Logs an unexpected error from a page. If the database was unavailable, records the time of the outage. Next calls it
 * through instrumentation.ts.
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
 * Changes a page's status from 500 to 503 and adds Retry-After if the page failed because the database was unavailable. Next
 * renders the body (app/error.tsx). See ADR 0038.
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
