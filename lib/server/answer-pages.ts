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
 * Answers requests for pages: sets their Content-Security-Policy, renews the cookie of a session, renders one page after the
 * other, and answers 503 while the database is away.
 * @param render renders the auth pages and hands everything else to Next
 */
export function answerPages(render: NodeHandler): NodeHandler {
  const renderPage = pagesInTurn(render)
  return async (req, res) => {
    const path = (req.url as string).split('?', 1)[0] as string
    setPagePolicy(req, res, path)
    await renewSession(req, res)
    tellPageOutage(res)
    return renderPage(req, res)
  }
}

/**
 * Replaces the session cookie of a browser that opens a page, if a former SECRET_KEY encrypted it. Next adds to the cookies
 * that are set here, so what the page itself does with the session comes last and counts.
 */
export async function renewSession(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' || !req.headers.accept?.includes('text/html')) return
  const cookie = await renewedSessionCookie(cookieValue(req.headers.cookie, sessionCookieName()))
  if (cookie) res.appendHeader('set-cookie', cookie)
}

/** When the event loop has had nothing to do for so long since a page was begun, in milliseconds, the next may be. */
const idleMs = 10

/** And after so long in any case. */
const longestMs = 1_000

/**
 * Has pages drawn one after the other for as long as drawing is what they wait for: many that are drawn at once have every token
 * request wait for a piece of each of them, at every step it takes. While those that were begun wait for the database, a
 * password's hash or a slow client, the event loop is idle, and the next is begun.
 * See decision 179.
 * @param render draws pages; a request without a page policy, such as one for a file, goes to it immediately
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
    // Who has left meanwhile needs no page.
    if (res.destroyed) return next()
    begin(res)
    return render(req, res)
  }
}

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
