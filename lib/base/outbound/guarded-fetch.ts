import { type Dispatcher, request, type RequestInit as UndiciRequestInit, fetch as undiciFetch } from 'undici'
import { callDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import {
  type Allowance,
  checkOutboundUrl,
  currentAllowance,
  OutboundError,
  outboundErrorIn,
} from './check-url'
import { guardedAgent } from './guarded-agent'

export type OutboundRequest = {
  /** What the call is for, as the instance admin's figures have it. */
  purpose?: Purpose
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange: name resolution, every redirect and the last byte of the body. See ADR 0043. */
  timeoutMs?: number
  /** A longer body is an error, or cut off where `truncate` says so. */
  maxBytes?: number
  truncate?: boolean
  /** Redirects followed, for GET and HEAD only; each target is checked like the first address. */
  maxRedirects?: number
  /** What is reached beyond the public internet, where the instance admin said so for this call. */
  allowance?: Allowance
  /** Media types taken, such as `application/json`; `*+json` takes every type with that suffix. */
  accept?: readonly string[]
}

export type OutboundAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The address that answered, after redirects. */
  url: string
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Calls an https address that a person or an app named, such as a webhook's or a client's metadata document.
 * Only public addresses are reached (`guardedAgent`); an answer of any status is returned, a redirect too unless
 * `maxRedirects` allows to follow it.
 * @throws OutboundError `url`, `address`, `redirect` (more than allowed), `timeout`, `too-large`, `content-type`, `network`
 */
export function guardedFetch(address: string | URL, options: OutboundRequest = {}): Promise<OutboundAnswer> {
  const { purpose = 'other', method = 'GET', headers } = options
  return watchCall(purpose, method, (traced) =>
    fetchGuarded(address, { ...options, headers: { ...headers, ...traced } }),
  )
}

async function fetchGuarded(address: string | URL, options: OutboundRequest): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? 5_000)
  try {
    return await follow(checkOutboundUrl(address, options.allowance), options, signal)
  } catch (error) {
    throw (
      outboundErrorIn(error) ??
      (signal.aborted
        ? new OutboundError('timeout', 'The address did not respond in time.', { cause: error })
        : new OutboundError('network', 'The address could not be reached.', { cause: error }))
    )
  }
}

async function follow(first: URL, options: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
  const method = options.method ?? 'GET'
  const allowed = method === 'GET' || method === 'HEAD' ? (options.maxRedirects ?? 0) : 0
  const allowance = options.allowance ?? currentAllowance()
  let url = first
  for (let hop = 0; ; hop++) {
    const response = await request(url, {
      dispatcher: guardedAgent(allowance),
      method,
      // Compressed answers are not asked for, so that the bound on the body is a bound on the memory.
      headers: { 'accept-encoding': 'identity', ...(url.origin === first.origin ? options.headers : {}) },
      body: options.body,
      signal,
    })
    const target = redirects.has(response.statusCode) ? response.headers.location : undefined
    if (allowed === 0 || typeof target !== 'string') {
      requireMediaType(response, options.accept)
      const body = await readBounded(response.body, options)
      return { status: response.statusCode, headers: response.headers, body, url: url.href }
    }
    discard(response.body)
    if (hop >= allowed) throw new OutboundError('redirect', 'The address redirects too many times.')
    if (!URL.canParse(target, url))
      throw new OutboundError('redirect', 'The address redirects without a location.')
    url = checkOutboundUrl(new URL(target, url), allowance)
  }
}

function requireMediaType(response: Dispatcher.ResponseData, accept: readonly string[] | undefined): void {
  if (accept === undefined) return
  const type = String(response.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const fits = accept.some((wanted) =>
    wanted.startsWith('*') ? type?.endsWith(wanted.slice(1)) : type === wanted,
  )
  if (fits) return
  discard(response.body)
  throw new OutboundError('content-type', `The response is not ${accept.join(' or ')}.`)
}

async function readBounded(body: Dispatcher.ResponseData['body'], options: OutboundRequest): Promise<Buffer> {
  const limit = options.maxBytes ?? 64 * 1024
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limit) {
      discard(body)
      if (options.truncate) break
      throw new OutboundError('too-large', `The response is larger than ${limit} bytes.`)
    }
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** Ends the connection; the error by which the stream tells of that has no other listener and would end the process. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {})
  body.destroy()
}

/**
 * `fetch` for libraries that take one, such as the OAuth engine for client-ID metadata documents, jwks_uri and back-channel
 * logout. Every connection goes through the guard, those of followed redirects too; without instruction a redirect is an
 * error and the call ends after five seconds. Bounding the body is up to the library.
 * @throws OutboundError for an address that may not be called; TypeError, as `fetch`, for whatever fails later
 */
export const guardedWebFetch = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
  watchCall('client-document', init.method === 'POST' ? 'POST' : 'GET', (traced) => call(url, init, traced))

async function call(url: string | URL, init: RequestInit, traced: Record<string, string>): Promise<Response> {
  const checked = checkOutboundUrl(url)
  const { headers, ...rest } = init
  const response = await undiciFetch(checked, {
    ...(rest as UndiciRequestInit),
    headers: [...new Headers(headers), ...Object.entries(traced)],
    redirect: init.redirect ?? 'error',
    signal: init.signal ?? AbortSignal.timeout(5_000),
    dispatcher: guardedAgent(),
  })
  return response as unknown as Response
}

/** What an address of somebody else's is called for; the address itself is told nobody. */
type Purpose =
  | 'webhook'
  | 'sign-out'
  | 'audit-stream'
  | 'logo'
  | 'client-document'
  | 'domain'
  | 'identity-provider'
  | 'other'

/**
 * Measures a call to the outside, as a step of the trace that caused it.
 * @param call makes it, with these headers besides its own: by them the receiver can tell the trace
 */
function watchCall<Answer extends { status: number }>(
  purpose: Purpose,
  method: string,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const recording = recorder()
  if (!recording) return call({})
  const since = performance.now()
  const labels = { purpose, 'http.request.method': method }
  const note = (failure: string | undefined, status?: number) =>
    callDuration.record((performance.now() - since) / 1000, {
      ...labels,
      'http.response.status_code': status,
      'error.type': failure,
    })
  return recording.within({ name: `${method} ${purpose}`, kind: 'client', labels }, async (end) => {
    try {
      const answer = await call(recording.headers())
      const failure = answer.status >= 400 ? String(answer.status) : undefined
      note(failure, answer.status)
      end(failure, { 'http.response.status_code': answer.status })
      return answer
    } catch (error) {
      const failure = outboundErrorIn(error)?.reason ?? 'network'
      note(failure)
      end(failure)
      throw error
    }
  })
}
