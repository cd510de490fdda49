import fs from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { config } from '@/lib/base/config/env'
import { ruleOf } from '@/lib/base/http/addresses'
import { clientAddress, loggedAddress } from '@/lib/base/http/client-address'
import { isLogPretty, log } from '@/lib/base/log/log'
import { traceName } from '@/lib/base/log/request-scope'
import { remember } from '@/lib/base/process/remember'
import { requestDuration, requestsActive } from '@/lib/base/telemetry/metrics'
import { isMeasured, recorder } from '@/lib/base/telemetry/telemetry'
import { endpointName, mount } from '@/lib/edges/oauth/protocol/routes'

/** Methods that are told apart (RFC 9110, PATCH of RFC 5789); a client may send any word. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

const methodOf = ({ method = '' }: IncomingMessage): string => (methods.has(method) ? method : '_OTHER')

/** Measures a request, by its route, until it has been answered or given up. */
export function measureRequest(req: IncomingMessage, res: ServerResponse): void {
  if (!isMeasured()) return
  const since = performance.now()
  const method = methodOf(req)
  const route = routeOf(req)
  requestsActive.add(1, { 'http.request.method': method })
  res.once('close', () => {
    requestsActive.add(-1, { 'http.request.method': method })
    // A stream lasts for as long as somebody wants it to, which says nothing of how fast anything is.
    if (String(res.getHeader('content-type')).startsWith('text/event-stream')) return
    requestDuration.record((performance.now() - since) / 1000, {
      'http.request.method': method,
      'http.route': route,
      ...answerOf(res),
    })
  })
}

/**
 * Answers a request as a step of the trace that its sender began, or as the first of a new one. Its name is the route, and
 * it holds neither the address nor the query.
 */
export function traceRequest<Result>(req: IncomingMessage, res: ServerResponse, work: () => Result): Result {
  const recording = recorder()
  if (!recording) return work()
  const method = methodOf(req)
  const route = routeOf(req)
  const labels = { 'http.request.method': method, 'http.route': route }
  return recording.within(
    { name: `${method} ${route}`, kind: 'server', labels, from: req.headers },
    (end) => {
      res.once('close', () => {
        const { 'error.type': failure, ...answered } = answerOf(res)
        end(failure, answered)
      })
      return work()
    },
  )
}

/** What came of a request: a status of 500 and above is a failure of ours, and so is an answer that nobody waited for. */
function answerOf(res: ServerResponse) {
  const { statusCode, writableEnded, headersSent } = res
  const failure = writableEnded ? (statusCode >= 500 ? String(statusCode) : undefined) : 'aborted'
  return { 'http.response.status_code': headersSent ? statusCode : undefined, 'error.type': failure }
}

/** Whether there is an entry for each request: ACCESS_LOG, or where entries are not read as they come. */
const isWanted = (): boolean => config().ACCESS_LOG ?? !isLogPretty()

/** What is asked for all the time and says nothing. */
const quiet = new Set(['/healthz', '/readyz', '/_next'])

/**
 * Writes an entry when a request has been answered, unless the operator wants none. It holds the route and neither the
 * address nor its query.
 * See decision 122.
 * @returns notes a request, before anything answers it
 */
export function accessLog(): (req: IncomingMessage, res: ServerResponse, requestId: string) => void {
  if (!isWanted()) return () => {}
  return (req, res, requestId) => {
    const since = performance.now()
    const { socket, method } = req
    const route = routeOf(req)
    const forwarded = req.headers['x-forwarded-for']
    const sentBefore = socket.bytesWritten
    const trace = traceName()
    res.once('close', () => {
      log[quiet.has(route) ? 'debug' : 'info']('a request was answered', {
        requestId,
        ...(trace ? { trace_id: trace } : {}),
        method,
        route,
        status: res.statusCode,
        ms: Math.round((performance.now() - since) * 10) / 10,
        bytes: socket.bytesWritten - sentBefore,
        client: loggedAddress(clientAddress(socket.remoteAddress, String(forwarded ?? '') || undefined)),
        ...(res.writableFinished ? {} : { aborted: true }),
      })
    })
  }
}

type Pages = { alone: Set<string>; patterns: { name: string; pattern: RegExp }[] }

const pages = () => remember<Pages>('page-routes', () => ({ alone: new Set(), patterns: [] }))

/**
 * Learns which pages there are from what Next's build left.
 * @param dir the folder that holds `.next`
 */
export function learnPages(dir: string): void {
  const file = path.join(dir, process.env.NEXT_DIST_DIR || '.next', 'routes-manifest.json')
  const { staticRoutes, dynamicRoutes }: Manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  Object.assign(pages(), {
    alone: new Set(staticRoutes.map(({ page }) => page)),
    patterns: dynamicRoutes.map(({ page, regex }) => ({ name: page, pattern: new RegExp(regex) })),
  })
}

type Manifest = Record<'staticRoutes' | 'dynamicRoutes', { page: string; regex: string }[]>

const named = new WeakMap<IncomingMessage, string>()

/** The route of a request, as it was addressed first: for its measurements, its trace and its entry in the log alike. */
function routeOf(req: IncomingMessage): string {
  const known = named.get(req)
  if (known !== undefined) return known
  const name = routeName((req.url ?? '').split('?', 1)[0] as string)
  named.set(req, name)
  return name
}

/**
 * What stands in the log for an address: the route that answers it. Addresses themselves hold ids of people and things, and
 * tokens where a link was mailed.
 * @param path without its query
 * @returns such as `/workspaces/[slug]/settings`; `other` for what is no address of ours
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
