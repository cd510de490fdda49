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
  /** The purpose of the call, for metrics and traces. */
  purpose?: Purpose
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /**
   * The maximum duration of the whole call, including name resolution, redirects, and the body, in
   * milliseconds. The default is 5,000. See ADR 0033.
   */
  timeoutMs?: number
  /**
   * The maximum size of the response body, in bytes. The default is 65,536. A longer body is an error or,
   * with `truncate`, is cut off.
   */
  maxBytes?: number
  truncate?: boolean
  /**
   * The maximum number of redirects to follow, for GET and HEAD only. The default is 0. Each target is
   * checked like the first URL. A redirected request to another origin does not contain `headers`.
   */
  maxRedirects?: number
  /** The allowance that this call uses instead of the process's allowance. */
  allowance?: Allowance
  /**
   * The media types of accepted responses, such as `application/json`. `*+json` accepts all types with that
   * suffix. If omitted, all types are accepted.
   */
  accept?: readonly string[]
}

export type OutboundAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The URL that responded, after redirects. */
  url: string
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Calls an https URL that a user or an app provided, such as the URL of a webhook or of an app's logo.
 * Connects only to public IP addresses and to those that `allowance` adds (`guardedAgent`). Returns responses
 * with any status, including redirects that are not followed because `maxRedirects` is not set or the method
 * is not GET or HEAD.
 * @throws OutboundError with the reason `url`, `address`, `redirect` (too many redirects, or an invalid one),
 * `timeout`, `too-large`, `content-type`, or `network`
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
        ? new OutboundError('timeout', 'The address did not respond in time. Check it and try again.', {
            cause: error,
          })
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
      // Compressed responses are not accepted, so that the body limit also limits the memory.
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
    if (hop >= allowed)
      throw new OutboundError('redirect', 'The address redirects too many times. Enter the final address.')
    if (!URL.canParse(target, url))
      throw new OutboundError(
        'redirect',
        'The address sends a redirect without a location. Enter the final address.',
      )
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

/**
 * Discards a response body and closes the connection. The body's stream then emits an error. An empty
 * listener ignores this error, because an error event without a listener would end the process.
 */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {})
  body.destroy()
}

/**
 * Calls an https URL like `fetch`, for libraries. For example, oidc-provider calls this function for client
 * ID metadata documents and jwks_uri. Guards all connections, including redirects. By default, a redirect is
 * an error, and the call times out after five seconds. Does not limit the size of the body, so the library
 * must limit it.
 * @throws OutboundError if `checkOutboundUrl` rejects the URL; otherwise, the same errors as `fetch`
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

/** The purpose of an outbound call, which metrics and traces contain instead of the URL. */
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
 * Makes an outbound call. If telemetry is enabled, measures the call and records it as a span of the current
 * trace.
 * @param call sends the request with the given additional headers, which identify the trace
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
