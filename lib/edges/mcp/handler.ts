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
  mcpError,
  mcpErrorFromApi,
  toMcpError,
  unauthenticated,
  writeAnswer,
  writePreflight,
  writeRefusal,
} from './refusal'
import type { ReadDocs } from './resources'
import type { Api } from './tools/api'

const maxBodyBytes = 256 * 1024

/**
 * Functions that authenticate callers and count their requests. lib/server passes in the functions of the
 * GraphQL API.
 */
type Callers = {
  /**
   * @returns the caller. If there is none, `sentToken` shows whether the request contained an unusable token
   * @throws AppError TWO_FACTOR_REQUIRED
   */
  authenticate: (req: IncomingMessage) => Promise<Caller | { sentToken: boolean }>
  /**
   * Counts a request of a caller, sets the rate limit headers in `headers`, and returns the state of the rate
   * limit.
   * @throws AppError RATE_LIMITED
   */
  count: (caller: Caller, headers: Record<string, string>) => Usage
  /** Counts an unauthenticated request. @throws AppError RATE_LIMITED */
  countUnauthenticated: (req: IncomingMessage) => Promise<void>
}

/**
 * Returns the handler for /mcp, which implements the Model Context Protocol over stateless Streamable HTTP,
 * in revision 2026-07-28 and earlier revisions. If a request has no usable token, the response has status 401
 * and contains the URL of the resource metadata. This URL is all that a client needs to request
 * authorization. The handler also responds to CORS preflights, and redirects users who open /mcp in a browser
 * to the docs.
 * @param api executes the operations of the tools
 * @param readDocs reads the docs pages of the resources
 */
export function makeMcpHandler(api: Api, callers: Callers, readDocs: ReadDocs) {
  // The library is loaded with the first message, because loading it takes a tenth of a second and 9 MB of
  // memory, and most servers never use it.
  let protocol: Promise<McpHttpHandler> | undefined
  const handleMcp = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const traceId = requestId()
    if (traceId === undefined) return inRequest(newRequestId(), () => handleMcp(req, res))
    if (isBrowserVisit(req)) return writeRedirect(res, '/docs/agents')
    const headers: Record<string, string> = {}
    const refuse = (...why: Parameters<typeof mcpError>) => writeRefusal(req, res, mcpError(...why), headers)
    try {
      if (!isAllowedOrigin(req.headers.origin)) return refuse('FORBIDDEN', { message: foreignOrigin })
      if (req.method === 'OPTIONS') return writePreflight(req, res)
      const caller = await callers.authenticate(req)
      if (!('actor' in caller)) {
        await callers.countUnauthenticated(req)
        headers['www-authenticate'] = unauthenticated(caller.sentToken)
        return refuse('UNAUTHENTICATED')
      }
      if (req.method !== 'POST') {
        headers.allow = 'POST, OPTIONS'
        return refuse('BAD_REQUEST', {
          status: 405,
          message: 'This endpoint accepts only POST. Send the message in a POST request.',
        })
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
      // Wait for the whole body before sending a status. The library can start an event stream with status
      // 200 before the tool has finished, but if `exchange.refusal` is set later, the response must have an
      // error status instead.
      const body = Buffer.from(await response.arrayBuffer())
      if (exchange.refusal)
        return writeRefusal(req, res, mcpErrorFromApi(exchange.refusal, caller.actor), headers)
      writeAnswer(req, res, response, body, headers)
    } catch (error) {
      writeRefusal(req, res, toMcpError(error), headers)
    }
  }
  return handleMcp
}

const foreignOrigin =
  'Requests from this origin are not allowed. Only pages on this instance and on your own machine can send requests.'

const notJson = 'The message is not valid JSON. Send one JSON-RPC message.'

const batch = 'Batches are not supported. Send one message per request.'

/**
 * Parses a message. `handleMcp` passes the parsed value to the library, so that the library cannot interpret
 * the bytes differently.
 *
 * `handleMcp` rejects batches in every revision, because the rate limit would count a batch as a single
 * request. Revisions since 2025-06-18 do not support batches.
 * @returns the parsed value, or undefined if the body is not JSON
 */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Converts a request to a fetch Request for the MCP library. Omits the body and the Authorization header. */
const asFetched = (req: IncomingMessage): Request =>
  new Request(`${config().BASE_URL}/mcp`, {
    method: 'POST',
    headers: Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'authorization' ? [] : [[name, [value].flat().join(', ')]],
    ),
  })

/**
 * Returns whether the Origin header of a request is allowed. Allowed origins are this instance and http
 * servers on the user's machine, such as the MCP inspector. A request without the header is also allowed,
 * because it comes from a program and not from a page. Pages from other origins have no token anyway, but the
 * protocol requires this check (Streamable HTTP, security), which also prevents DNS rebinding.
 */
function isAllowedOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { origin: normal, protocol, hostname } = new URL(origin)
  if (normal === new URL(config().BASE_URL).origin) return true
  return protocol === 'http:' && isLoopbackHost(hostname)
}
