import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/base/config/env'
import { ruleOf, strictTransportSecurity, transportSecurityHeader } from '@/lib/base/http/addresses'
import {
  isLoopback,
  isPeerHeaderTrusted,
  nameOf,
  peerHeader,
  requestIdHeader,
  trustPeerHeader,
} from '@/lib/base/http/client-address'
import { isSameOrigin } from '@/lib/base/http/origin'
import { log } from '@/lib/base/log/log'
import { inRequest, requestId } from '@/lib/base/log/request-scope'
import { exceededLimit, refuseBody } from './limit-body'
import { accessLog, measureRequest, traceRequest } from './record-request'

/** Answers one request of Node's HTTP server. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/** Who answers what. */
export type Mounts = {
  /** /oauth and the well-known addresses that describe it. */
  oauth: NodeHandler
  /** /graphql/v2 */
  graphql: NodeHandler
  /** /mcp */
  mcp: NodeHandler
  /** The pages. */
  pages: NodeHandler
}

/** Which handler a path belongs to. The route files below app/ repeat this division for `next start`. */
export function mountOf(path: string): keyof Mounts {
  const { endpoint } = ruleOf(path)
  return endpoint === 'oauth' || endpoint === 'graphql' || endpoint === 'mcp' ? endpoint : 'pages'
}

/** Whether a path can be decoded, and holds no NUL, which PostgreSQL cannot store and no address of ours contains. */
function isWellFormed(path: string): boolean {
  try {
    return path.startsWith('/') && !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

/**
 * Next compares the Origin of a server action with the Host it was sent to. Only BASE_URL is the product's origin,
 * whatever Host a client names or a proxy passes on.
 */
function pinHost(req: IncomingMessage): void {
  req.headers.host = new URL(config().BASE_URL).host
  delete req.headers['x-forwarded-host']
}

/** A server action sent from elsewhere: Next refuses it too, but as a defect of ours, with a 500 and a log entry. */
const isForeignAction = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  (headers['next-action'] !== undefined || /^multipart\/form-data/i.test(headers['content-type'] ?? '')) &&
  !isSameOrigin({ get: (name) => headers[name] as string | undefined })

/** What Next can be asked with; at any other method it stumbles. */
const pageMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A proxy may send the whole address on the request line (RFC 9112 section 3.2.2); the handlers expect its path. */
function toOriginForm(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * The one request listener of the product.
 * Every answer has the name of its request, and says Strict-Transport-Security where BASE_URL is https.
 * A malformed address is answered 400 here, before any handler can stumble over it; whatever a handler throws is logged
 * and answered 500 without detail.
 */
export function createDispatcher(mounts: Mounts): NodeHandler {
  trustPeerHeader()
  const secured = strictTransportSecurity(config().BASE_URL)
  const note = accessLog()
  const dispatch: NodeHandler = async (req, res) => {
    if (secured) res.setHeader(transportSecurityHeader, secured)
    req.url = toOriginForm(req.url ?? '')
    // Pages see no socket; whatever a client sent under this name is overwritten (lib/base/http/client-address).
    req.headers[peerHeader] = req.socket.remoteAddress ?? ''
    const path = req.url.split('?', 1)[0] as string
    if (!isWellFormed(path)) return answer(res, 400, 'Bad request: the address is malformed.')
    try {
      const mount = mountOf(path)
      if (mount === 'pages') {
        noteThisMachine(req)
        if (!pageMethods.includes(req.method as string)) return refuseMethod(req, res)
        pinHost(req)
        const most = await exceededLimit(req, path)
        if (most !== undefined) return await refuseBody(req, res, most)
        if (isForeignAction(req)) return answer(res, 403, 'Forms are only taken from our own pages.')
      }
      await mounts[mount](req, res)
    } catch (error) {
      log.error('a request failed', { method: req.method, error })
      if (res.headersSent) res.destroy()
      else answer(res, 500, 'Something went wrong on our side.')
    }
  }
  return (req, res) => {
    const id = nameOf(req)
    res.setHeader(requestIdHeader, id)
    measureRequest(req, res)
    return traceRequest(req, res, () => {
      note(req, res, id)
      return inRequest(id, () => dispatch(req, res))
    })
  }
}

function refuseMethod(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('allow', 'GET, HEAD, POST, OPTIONS')
  answer(res, 405, `${req.method} is not understood here; use GET or POST.`)
}

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end(`${text}\nReference: ${requestId()}\n`)
}

/** The header in which the server tells the pages that a request was made on this machine; a client's own is removed. See decision 071. */
export const thisMachineHeader = 'x-latchkey-this-machine'

/** What a browser on this machine asks for; a page elsewhere whose name was made to lead here (DNS rebinding) has its own. */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** What proxies and tunnels add: X-Forwarded-*, Forwarded, Via, X-Real-IP, CF-Connecting-IP and their like. */
const forwarding = /^(x-forwarded|x-original|forwarded$|via$|cdn-loop$)|-ip$/

/** A proxy's words; browsers have long spoken HTTP/1.1, while nginx without further settings may pass requests on in 1.0. */
const isByProxy = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion !== '1.1' || Object.keys(headers).some((name) => forwarding.test(name))

/**
 * Notes on a request, before anything changes its headers, whether it was made on this machine: from a loopback address,
 * for a loopback host, passed on by nobody. Whatever the client sent under that name is gone.
 */
export function noteThisMachine(request: IncomingMessage): void {
  const { headers, socket } = request
  delete headers[thisMachineHeader]
  if (isLoopback(socket.remoteAddress) && localHost.test(headers.host ?? '') && !isByProxy(request))
    headers[thisMachineHeader] = 'yes'
}

/**
 * Whether a request, as Next hands it on, was made on this machine.
 * @returns false wherever no server of ours stands in front, which alone can tell
 */
export const isFromThisMachine = (headers: Pick<Headers, 'get'>): boolean =>
  isPeerHeaderTrusted() && headers.get(thisMachineHeader) === 'yes'
