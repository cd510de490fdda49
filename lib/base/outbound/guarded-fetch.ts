import { type Dispatcher, request } from 'undici'
import { type Allowance, currentAllowance } from './allowance'
import { checkOutboundUrl } from './check-url'
import { guardedAgent } from './guarded-agent'
import { OutboundError, outboundErrorIn } from './outbound-error'
import { type Purpose, watchCall } from './watch-call'

export type OutboundRequest = {
  /** What the call is for, as the operator's figures have it. */
  purpose?: Purpose
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange: name resolution, every redirect and the last byte of the body. See decision 040. */
  timeoutMs?: number
  /** A longer body is an error, or cut off where `truncate` says so. */
  maxBytes?: number
  truncate?: boolean
  /** Redirects followed, for GET and HEAD only; each target is checked like the first address. */
  maxRedirects?: number
  /** What is reached beyond the public internet, where the operator said so for this call. */
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
        ? new OutboundError('timeout', 'The address did not answer in time.', { cause: error })
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
    if (hop >= allowed) throw new OutboundError('redirect', 'The address redirects too often.')
    if (!URL.canParse(target, url)) throw new OutboundError('redirect', 'The address redirects to nowhere.')
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
  throw new OutboundError('content-type', `The answer is not ${accept.join(' or ')}.`)
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
      throw new OutboundError('too-large', `The answer is larger than ${limit} bytes.`)
    }
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** Ends the connection; the error by which the stream tells of that has no other listener and would end the process. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {})
  body.destroy()
}
