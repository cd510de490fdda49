import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { config } from '@/lib/base/config/env'
import {
  bodyLimitOf,
  ruleOf,
  strictTransportSecurity,
  transportSecurityHeader,
} from '@/lib/base/http/addresses'
import { messagePage } from '@/lib/base/http/answers'
import { isSameOrigin } from '@/lib/base/http/body'
import {
  isLoopback,
  isPeerHeaderTrusted,
  nameOf,
  peerHeader,
  requestIdHeader,
  trustPeerHeader,
} from '@/lib/base/http/client-address'
import { languageFrom } from '@/lib/base/http/visitor'
import { sayIn } from '@/lib/base/language/say'
import { log } from '@/lib/base/log/log'
import { inRequest, requestId } from '@/lib/base/log/request-scope'
import { requestRecorder } from './record-request'

/** A function that handles one request from Node's HTTP server. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/** The handler of each group of paths. */
export type Mounts = {
  /** /oauth and its well-known metadata. */
  oauth: NodeHandler
  /** /graphql/v2 */
  graphql: NodeHandler
  /** /mcp */
  mcp: NodeHandler
  /** The pages. */
  pages: NodeHandler
}

/**
 * Returns the name of the handler for a path. The route files below app/ repeat this mapping for
 * `next start`.
 */
export function mountOf(path: string): keyof Mounts {
  const { endpoint } = ruleOf(path)
  return endpoint === 'oauth' || endpoint === 'graphql' || endpoint === 'mcp' ? endpoint : 'pages'
}

/**
 * Returns whether a path starts with a slash, can be decoded, and contains no NUL. PostgreSQL cannot store
 * NUL, and none of the product's URLs contains it.
 */
function isWellFormed(path: string): boolean {
  try {
    return path.startsWith('/') && !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

/**
 * Sets the Host header to the host of BASE_URL, regardless of the value that a client or proxy sent, and
 * removes X-Forwarded-Host. Next compares a server action's Origin header with these headers.
 */
function pinHost(req: IncomingMessage): void {
  req.headers.host = new URL(config().BASE_URL).host
  delete req.headers['x-forwarded-host']
}

/**
 * Returns whether another origin sent a request for a server action or a multipart form, which can also call
 * a server action. For such a request, Next would return 500 and log an error, as if the server were faulty.
 */
const isForeignAction = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  (headers['next-action'] !== undefined || /^multipart\/form-data/i.test(headers['content-type'] ?? '')) &&
  !isSameOrigin({ get: (name) => headers[name] as string | undefined })

/** The methods that Next supports for pages. Next fails for other methods. */
const pageMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Removes the origin from an absolute request URL, which a proxy can send (RFC 9112 section 3.2.2). */
function toOriginForm(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

/**
 * Returns the product's request listener, and makes this process trust the peer header, which the listener
 * sets. Every response contains the request ID, and Strict-Transport-Security if BASE_URL is https. The
 * listener responds with 400 to a malformed URL. For pages, it responds with 405 to an unsupported method,
 * 413 to an oversized body, and 403 to a form from another origin. If a handler throws an error, the error is
 * logged and the client gets a 500 without details, or the connection is closed if the headers were already
 * sent.
 */
export function createDispatcher(mounts: Mounts): NodeHandler {
  trustPeerHeader()
  const secured = strictTransportSecurity(config().BASE_URL)
  const record = requestRecorder()
  const dispatch: NodeHandler = async (req, res) => {
    if (secured) res.setHeader(transportSecurityHeader, secured)
    req.url = toOriginForm(req.url ?? '')
    // Pages cannot access the socket, so pass the peer's IP address in a header. This overwrites any value
    // that the client sent (lib/base/http/client-address.ts).
    req.headers[peerHeader] = req.socket.remoteAddress ?? ''
    const path = req.url.split('?', 1)[0] as string
    if (!isWellFormed(path)) return answer(res, 400, 'Bad request: the URL is malformed.')
    try {
      const mount = mountOf(path)
      if (mount === 'pages') {
        markLocalRequest(req)
        if (!pageMethods.includes(req.method as string)) return refuseMethod(req, res)
        pinHost(req)
        const most = await exceededLimit(req, path)
        if (most !== undefined) return await refuseBody(req, res, most)
        if (isForeignAction(req))
          return answer(
            res,
            403,
            'This form was sent from another site. Open this instance and send the form there.',
          )
      }
      await mounts[mount](req, res)
    } catch (error) {
      log.error('a request failed', { method: req.method, error })
      if (res.headersSent) res.destroy()
      else answer(res, 500, 'Something went wrong on our side. Try again later.')
    }
  }
  return (req, res) => {
    const id = nameOf(req)
    res.setHeader(requestIdHeader, id)
    return record.within(req, res, id, () => inRequest(id, () => dispatch(req, res)))
  }
}

function refuseMethod(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('allow', 'GET, HEAD, POST, OPTIONS')
  answer(res, 405, `${req.method} is not supported. Use GET or POST.`)
}

function answer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  res.end(`${text}\nReference: ${requestId()}\n`)
}

/**
 * The header by which pages recognize a request from this machine. The server removes it if a client sends
 * it. See ADR 0037.
 */
export const thisMachineHeader = 'x-latchkey-this-machine'

/**
 * Matches a Host header with a loopback name or address. A request from an attacker's page that uses DNS
 * rebinding has a Host header with another name.
 */
const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Matches the names of headers that proxies and tunnels add, in lowercase: X-Forwarded-*, X-Original-*,
 * Forwarded, Via, CDN-Loop, and all names that end in -IP, such as X-Real-IP.
 */
const forwarding = /^(x-forwarded|x-original|forwarded$|via$|cdn-loop$)|-ip$/

/**
 * Returns whether a request has a proxy's header or an HTTP version other than 1.1. Browsers use HTTP/1.1,
 * but nginx forwards with HTTP/1.0 by default.
 */
const isByProxy = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion !== '1.1' || Object.keys(headers).some((name) => forwarding.test(name))

/**
 * Removes `thisMachineHeader` if the client sent it, and sets it if the request was sent from a loopback
 * address to a loopback host without a proxy. Call this function before the server changes the headers.
 */
export function markLocalRequest(request: IncomingMessage): void {
  const { headers, socket } = request
  delete headers[thisMachineHeader]
  if (isLoopback(socket.remoteAddress) && localHost.test(headers.host ?? '') && !isByProxy(request))
    headers[thisMachineHeader] = 'yes'
}

/**
 * Returns whether a request that Next handles was sent from this machine. Returns false if this process did
 * not handle the request before Next, because Next cannot determine where a request comes from.
 */
export const isFromThisMachine = (headers: Pick<Headers, 'get'>): boolean =>
  isPeerHeaderTrusted() && headers.get(thisMachineHeader) === 'yes'

/** The number of bytes of a rejected body that are read and discarded before the connection is closed. */
const discardedBytes = 64 * 1024 * 1024
/**
 * The time for which a rejected body is read and discarded before the connection is closed, in milliseconds.
 */
const discardingMs = 15_000

/**
 * Checks the size of a request's body before a handler receives the request. A chunked body is read up to the
 * limit and then put back, because a handler that has started to read cannot be stopped cleanly. Chunked
 * bodies of GET and HEAD requests and of uploads are not checked.
 * @returns the limit in bytes if the body is longer; undefined if the request can be handled
 */
async function exceededLimit(req: IncomingMessage, path: string): Promise<number | undefined> {
  const stated = req.headers['content-length']
  const isChunked = req.headers['transfer-encoding'] !== undefined
  if (stated === undefined && !isChunked) return undefined
  const { most, isUpload } = bodyLimitOf(path)
  if (!isChunked) return Number(stated) > most ? most : undefined
  // Do not check these bodies: no handler reads the body of a GET or HEAD request, and the handler of an
  // upload reads only up to its own limit.
  if (req.method === 'GET' || req.method === 'HEAD' || isUpload) return undefined
  return (await bufferBody(req, most)) ? undefined : most
}

/**
 * Reads a body of unknown length up to a limit, and puts the body back if it is within the limit.
 * @returns true if the body is within the limit or the connection was closed; false as soon as the body is
 * longer
 */
async function bufferBody(req: IncomingMessage, most: number): Promise<boolean> {
  const chunks: Buffer[] = []
  let size = 0
  let stop = () => {}
  // Never read an empty body here. The stream would emit its `end` event, and a handler that waits for this
  // event would wait forever.
  const isEmpty = () => req.complete && size === 0 && req.readableLength === 0
  await nextTurn()
  if (isEmpty()) return true
  const fits = await new Promise<boolean>((resolve) => {
    const take = () => {
      if (isEmpty()) return resolve(true)
      for (let chunk = req.read(); chunk !== null && size <= most; chunk = req.read()) {
        chunks.push(chunk)
        size += chunk.length
      }
      if (size > most) return resolve(false)
      if (!req.complete || req.readableLength > 0) return
      // Put the body back before the stream emits its `end` event. After this event, nothing can be put back.
      if (size > 0) req.unshift(Buffer.concat(chunks))
      resolve(true)
    }
    const end = () => resolve(true)
    req.on('readable', take).on('end', end).on('close', end)
    stop = () => req.off('readable', take).off('end', end).off('close', end)
  })
  stop()
  // Wait until Node has processed the removal of the `readable` listener. Until then, `data` listeners that
  // the handler adds would receive nothing.
  await nextTurn()
  return fits
}

/** Returns a 413 response with a page that shows the maximum size of a form. */
const tooLongPage = (headers: { get(name: string): string | null }, most: number): Response => {
  const say = sayIn(languageFrom(headers))
  return messagePage({
    say,
    status: 413,
    title: say('form.tooLong'),
    text: say('form.tooLongWhy', { size: most / 1024 }),
    link: { href: '/', label: say('form.start', { service: config().serviceName }) },
  })
}

/**
 * Responds with 413 while the client is still sending its body. Closing a connection with unread data would
 * reset it, and the client could not read the response. Further data is therefore read and discarded, until
 * `discardedBytes` or `discardingMs` is reached.
 * @param most the limit in bytes, for the message
 */
async function refuseBody(req: IncomingMessage, res: ServerResponse, most: number): Promise<void> {
  const headers = { get: (name: string) => (req.headers[name] as string | undefined) ?? null }
  const page = tooLongPage(headers, most)
  const html = Buffer.from(await page.arrayBuffer())
  let discarded = 0
  const finish = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(finish, discardingMs).unref()
  // Set Content-Length, so that the client can detect the end of the response although the connection stays
  // open for a while.
  res.writeHead(page.status, {
    ...Object.fromEntries(page.headers),
    'content-length': html.length,
    connection: 'close',
  })
  res.write(html)
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > discardedBytes) finish()
  })
  req.once('end', finish).once('close', finish)
  if (req.readableEnded || req.complete) finish()
}
