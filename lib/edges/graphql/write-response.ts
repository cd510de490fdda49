import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '@/lib/base/http/answers'
import { corsHeaders, sendPreflight } from '@/lib/base/http/origin'

/** What goes back as JSON (docs/contract.md, section 2). */
export type Answer = {
  data?: unknown
  errors?: readonly unknown[]
  extensions: { traceId: string; cost?: { requested: number; budget: number } | undefined }
}

/**
 * Sends an answer. JSON under every Accept header: a caller that wants the newer media type gets it, one that wants
 * something else still learns what happened.
 */
export function writeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  answer: Answer,
  headers: Record<string, string>,
): void {
  sendJson(res, status, answer, {
    'content-type': `${mediaType(req.headers.accept)}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-trace-id': answer.extensions.traceId,
    ...cors,
    ...headers,
  })
}

/** Begins the answer to a subscription: a stream of server-sent events, which nobody on its way may keep or gather. */
export function writeStreamHead(res: ServerResponse, traceId: string, headers: Record<string, string>): void {
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-trace-id': traceId,
    ...cors,
    ...headers,
  })
}

/** Any page may call the API: nothing a browser sends by itself, such as a cookie, counts here. */
const cors = corsHeaders('*')

/** Answers the question a browser asks before it lets a page call the API. */
export const writePreflight = (req: IncomingMessage, res: ServerResponse): void =>
  sendPreflight(req, res, cors, 'authorization, content-type')

const graphqlJson = 'application/graphql-response+json'

/** The first of the two JSON types that an Accept header names; plain JSON otherwise. */
function mediaType(accept: string | undefined): string {
  if (!accept?.includes(graphqlJson)) return 'application/json'
  const types = accept.split(',').map((each) => each.split(';')[0]?.trim())
  return types.find((type) => type === graphqlJson || type === 'application/json') ?? 'application/json'
}
