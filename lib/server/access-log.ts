import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { clientAddress, loggedAddress } from '@/lib/base/http/client-address'
import { isLogPretty, log } from '@/lib/base/log/log'
import { traceName } from '@/lib/base/log/trace-name'
import { routeOf } from './route-name'

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
