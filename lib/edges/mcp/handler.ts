import type { IncomingMessage, ServerResponse } from 'node:http'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { config } from '@/lib/base/config/env'
import { readBody } from '@/lib/base/http/body'
import { isBrowserVisit, writeRedirect } from '@/lib/base/http/origin'
import { inRequest, newRequestId, requestId } from '@/lib/base/log/request-scope'
import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'
import type { Usage } from '@/lib/features/figures/count-usage'
import type { Caller } from '@/lib/policy/bearer'
import type { Exchange } from './protocol'
import {
  refusal,
  refusalByApi,
  refusalOf,
  unauthenticated,
  writeAnswer,
  writePreflight,
  writeRefusal,
} from './refusal'
import type { ReadDocs } from './resources'
import type { Api } from './tools/api'

const maxBodyBytes = 256 * 1024

/** Identifies callers and counts their requests; lib/server composes it from the GraphQL API's own functions. */
type Callers = {
  /** @returns the caller, or whether a token was sent that is worth nothing here */
  authenticate: (req: IncomingMessage) => Promise<Caller | { sentToken: boolean }>
  /** Counts a request of a caller, and says in the headers where they stand. @throws AppError RATE_LIMITED */
  count: (caller: Caller, headers: Record<string, string>) => Usage
  /** Counts a request of somebody without a token. @throws AppError RATE_LIMITED */
  countStranger: (req: IncomingMessage) => Promise<void>
}

/**
 * POST /mcp: the Model Context Protocol over Streamable HTTP, stateless, in its revision of 2026-07-28 and those before it.
 * Without a token that counts here it answers 401 and says where to get one, which is all a client needs to begin.
 * @param api what the tools do
 * @param readDocs what the resources hold beside it
 */
export function makeMcpHandler(api: Api, callers: Callers, readDocs: ReadDocs) {
  // Loaded at the first message: its library takes a tenth of a second and 9 MB, which most servers never need.
  let protocol: Promise<McpHttpHandler> | undefined
  const handleMcp = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const traceId = requestId()
    if (traceId === undefined) return inRequest(newRequestId(), () => handleMcp(req, res))
    if (isBrowserVisit(req)) return writeRedirect(res, '/docs/agents')
    const headers: Record<string, string> = {}
    const refuse = (...why: Parameters<typeof refusal>) => writeRefusal(req, res, refusal(...why), headers)
    try {
      if (!isAllowedOrigin(req.headers.origin)) return refuse('FORBIDDEN', { message: foreignOrigin })
      if (req.method === 'OPTIONS') return writePreflight(req, res)
      const caller = await callers.authenticate(req)
      if (!('actor' in caller)) {
        await callers.countStranger(req)
        headers['www-authenticate'] = unauthenticated(caller.sentToken)
        return refuse('UNAUTHENTICATED')
      }
      if (req.method !== 'POST') {
        headers.allow = 'POST, OPTIONS'
        return refuse('BAD_REQUEST', { status: 405, message: 'Send messages with POST.' })
      }
      const usage = callers.count(caller, headers)
      const exchange: Exchange = { asking: { caller, usage, traceId, http: { req, headers } } }
      protocol ??= import('./protocol').then(({ makeProtocol }) => makeProtocol(api, readDocs))
      const message = parse(await readBody(req, maxBodyBytes))
      if (message === undefined) return refuse('BAD_REQUEST', { rpcCode: -32_700, message: notJson })
      if (Array.isArray(message)) return refuse('BAD_REQUEST', { rpcCode: -32_600, message: batch })
      const response = await (await protocol).fetch(asFetched(req), {
        parsedBody: message,
        authInfo: { token: '', clientId: '', scopes: [], extra: { exchange } },
      })
      // The status is known when the tool has answered, which a stream of events would not wait for.
      const body = Buffer.from(await response.arrayBuffer())
      if (exchange.refusal)
        return writeRefusal(req, res, refusalByApi(exchange.refusal, caller.actor), headers)
      writeAnswer(req, res, response, body, headers)
    } catch (error) {
      writeRefusal(req, res, refusalOf(error), headers)
    }
  }
  return handleMcp
}

const foreignOrigin =
  'This page may not call the endpoint: its Origin is neither ours nor one of your own machine.'

const notJson = 'The message is not JSON.'

const batch = 'Batches are not supported. Send one message per request.'

/**
 * Parses a message. The library receives this value, never the bytes, so it cannot read anything else into them.
 *
 * A batch is refused in every revision: each of its messages would be an operation that no limit counts. The revisions
 * since 2025-06-18 have no batches.
 * @returns undefined for a body that is not JSON
 */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Returns the request in the form that the protocol's library reads, without its body and without the token. */
const asFetched = (req: IncomingMessage): Request =>
  new Request(`${config().BASE_URL}/mcp`, {
    method: 'POST',
    headers: Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'authorization' ? [] : [[name, [value].flat().join(', ')]],
    ),
  })

/**
 * Whether a page may ask: our own, and those that a person's own machine serves, such as the protocol's inspector. Programs
 * send no Origin. A page elsewhere could send no token that it was not given, but the protocol wants its origin refused
 * (Streamable HTTP, security), and a name that was rebound to our address is told by it too.
 */
function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { origin: normal, protocol, hostname } = new URL(origin)
  if (normal === new URL(config().BASE_URL).origin) return true
  return protocol === 'http:' && isLoopbackHost(hostname)
}
