import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '@/lib/base/http/answers'
import { corsHeaders, sendPreflight } from '@/lib/base/http/origin'
import { requestId } from '@/lib/base/log/request-scope'
import type { Refusal } from './refusal'

/** What a page that may ask can read of an answer. */
const corsOf = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
  corsHeaders(origin || undefined, 'mcp-protocol-version')

const always = (req: IncomingMessage): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-trace-id': requestId() ?? '',
  ...corsOf(req),
})

/** Answers the question a browser asks before it lets a page of an allowed origin call. */
export const writePreflight = (req: IncomingMessage, res: ServerResponse): void =>
  sendPreflight(req, res, corsOf(req), 'authorization, content-type, mcp-protocol-version')

/** Refuses a request as a whole, in the form of JSON-RPC, which a client of the protocol reads whatever the status. */
export function writeRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, rpcCode, message, headers: own }: Refusal,
  headers: Record<string, string>,
): void {
  const error = { code: rpcCode, message, data: { code, traceId: requestId() } }
  sendJson(res, status, { jsonrpc: '2.0', id: null, error }, { ...always(req), ...headers, ...own })
}

/**
 * Sends what the protocol's library answered: JSON, or the events of a stream that has ended. Nothing is sent before it has,
 * as the status is only known then.
 * @param body all of it
 */
export function writeAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers: own }: Response,
  body: Buffer,
  headers: Record<string, string>,
): void {
  res.writeHead(status, {
    ...Object.fromEntries(own),
    'content-length': body.length,
    ...always(req),
    ...headers,
  })
  res.end(body)
}
