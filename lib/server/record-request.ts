import fs from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { ruleOf } from '@/lib/base/http/addresses'
import { loggedAddress, requestAddress } from '@/lib/base/http/client-address'
import { isLogPretty, log } from '@/lib/base/log/log'
import { traceName } from '@/lib/base/log/request-scope'
import { remember } from '@/lib/base/process/remember'
import { requestDuration, requestsActive } from '@/lib/base/telemetry/metrics'
import { type EndStep, isMeasured, recorder } from '@/lib/base/telemetry/telemetry'
import { endpointName, mount } from '@/lib/edges/oauth/protocol/routes'
import { countAnswer } from '@/lib/features/figures/count-figure'

/**
 * The methods that can be used as metric labels (RFC 9110; PATCH from RFC 5789). Other methods share the
 * label `_OTHER`, because clients can send any text.
 */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

const methodOf = ({ method = '' }: IncomingMessage): string => (methods.has(method) ? method : '_OTHER')

/**
 * Handles a request within a span of the sender's trace, or of a new trace. The span is named after the
 * method and the route, and contains neither the path nor the query.
 * @param work handles the request; receives the function that ends the span, or undefined if telemetry is
 * disabled
 */
function traceRequestStep<Result>(req: IncomingMessage, work: (end?: EndStep) => Result): Result {
  const recording = recorder()
  if (!recording) return work()
  const labels = { 'http.request.method': methodOf(req), 'http.route': routeOf(req) }
  const name = `${labels['http.request.method']} ${labels['http.route']}`
  return recording.within({ name, kind: 'server', labels, from: req.headers }, work)
}

/** Traces a request that a Node handler handles inside Next. */
export const traceRequest = <Result>(req: IncomingMessage, res: ServerResponse, work: () => Result): Result =>
  traceRequestStep(req, (end) => {
    if (end) res.once('close', () => end(failureOf(res), { [statusLabel]: statusOf(res) }))
    return work()
  })

const statusLabel = 'http.response.status_code'

const statusOf = ({ headersSent, statusCode }: ServerResponse) => (headersSent ? statusCode : undefined)

/**
 * Returns why a response failed: its status if it is 500 or above, or `aborted` if the connection was closed
 * before the response ended. Returns undefined for all other responses.
 */
const failureOf = ({ statusCode, writableEnded }: ServerResponse): string | undefined =>
  writableEnded ? (statusCode >= 500 ? String(statusCode) : undefined) : 'aborted'

/**
 * Returns whether a response is an event stream. A stream's duration depends on the client, so it is not
 * recorded as a response time.
 */
const isStream = (res: ServerResponse): boolean =>
  String(res.getHeader('content-type')).startsWith('text/event-stream')

/**
 * The routes of frequent, uninteresting requests, which are logged only at debug level and not shown in
 * charts.
 */
const quiet = new Set(['/healthz', '/readyz', '/_next'])

/**
 * Functions that record a request in those of the charts, metrics, traces, and access log that are enabled.
 * Call them before anything responds to the request.
 */
export type RecordRequest = {
  /** Counts, measures, and logs the request. */
  (req: IncomingMessage, res: ServerResponse, id: string): void
  /** Counts, measures, and logs the request, and traces it during `work`. */
  within: <Result>(req: IncomingMessage, res: ServerResponse, id: string, work: () => Result) => Result
}

/**
 * Returns the functions that record requests for the instance admins' charts, metrics, traces, and the access
 * log. Log entries contain the route, not the path or the query. See ADR 0042.
 */
export function requestRecorder(): RecordRequest {
  // If ACCESS_LOG is not set, requests are logged unless the log is formatted for a terminal.
  const isLogged = config().ACCESS_LOG ?? !isLogPretty()

  const record = (req: IncomingMessage, res: ServerResponse, id: string, end?: EndStep): void => {
    const isCounted = isMeasured()
    if (!isCounted && !isLogged) return
    const since = performance.now()
    const isExported = recorder() !== undefined
    const route = routeOf(req)
    const { socket } = req
    const sentBefore = socket.bytesWritten
    const trace = isLogged ? traceName() : undefined
    if (isExported) requestsActive.add(1, { 'http.request.method': methodOf(req) })
    res.once('close', () => {
      const ms = performance.now() - since
      const failure = failureOf(res)
      const isTimed = isCounted && !isStream(res)
      if (isTimed && !quiet.has(route)) countAnswer(ms, failure)
      if (isExported) {
        const method = { 'http.request.method': methodOf(req) }
        const status = { [statusLabel]: statusOf(res) } as const
        requestsActive.add(-1, method)
        if (isTimed)
          requestDuration.record(ms / 1000, {
            ...method,
            'http.route': route,
            ...status,
            'error.type': failure,
          })
        end?.(failure, status)
      }
      if (isLogged) {
        log[quiet.has(route) ? 'debug' : 'info']('a request was answered', {
          requestId: id,
          ...(trace ? { trace_id: trace } : {}),
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round(ms * 10) / 10,
          bytes: socket.bytesWritten - sentBefore,
          client: loggedAddress(requestAddress({ socket, headers: req.headers })),
          ...(res.writableFinished ? {} : { aborted: true }),
        })
      }
    })
  }

  return Object.assign(record, {
    within: <Result>(req: IncomingMessage, res: ServerResponse, id: string, work: () => Result): Result =>
      traceRequestStep(req, (end) => {
        record(req, res, id, end)
        return work()
      }),
  })
}

type Pages = { alone: Set<string>; patterns: { name: string; pattern: RegExp }[] }

const pages = () => remember<Pages>('page-routes', () => ({ alone: new Set(), patterns: [] }))

/**
 * Loads the routes of all pages from Next's build, for `routeOf`.
 * @param dir the folder that contains `.next`
 */
export function readPageRoutes(dir: string): void {
  const file = path.join(dir, process.env.NEXT_DIST_DIR || '.next', 'routes-manifest.json')
  const { staticRoutes, dynamicRoutes }: Manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  Object.assign(pages(), {
    alone: new Set(staticRoutes.map(({ page }) => page)),
    patterns: dynamicRoutes.map(({ page, regex }) => ({ name: page, pattern: new RegExp(regex) })),
  })
}

type Manifest = Record<'staticRoutes' | 'dynamicRoutes', { page: string; regex: string }[]>

/** Returns the route of a request. Call this function before a handler changes the URL. */
const routeOf = (req: IncomingMessage): string => routeName((req.url ?? '').split('?', 1)[0] as string)

/**
 * Returns the route that is logged instead of a path, because paths can contain IDs and the tokens from
 * emailed links.
 * @param path the path without its query
 * @returns the route, such as `/workspaces/[slug]/settings`; `/_next` for one of Next's files; `/oauth/other`
 * for an unknown path below `/oauth`; `other` for any other unknown path
 */
function routeName(path: string): string {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const { endpoint, path: own } = ruleOf(bare)
  if (endpoint === 'oauth' && bare.startsWith(`${mount}/`)) {
    const name = endpointName(bare.slice(mount.length))
    return name === undefined ? `${mount}/other` : mount + name
  }
  if (endpoint !== undefined) return own as string
  if (bare.startsWith('/_next/')) return '/_next'
  if (pages().alone.has(bare)) return bare
  return pages().patterns.find(({ pattern }) => pattern.test(bare))?.name ?? 'other'
}
