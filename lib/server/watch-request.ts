import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestDuration, requestsActive } from '@/lib/base/telemetry/metrics'
import { isMeasured, recorder } from '@/lib/base/telemetry/telemetry'
import { routeOf } from './route-name'

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
