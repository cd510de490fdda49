import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@/lib/base/errors/app-error'
import { sendJson } from '@/lib/base/http/answers'
import { corsHeaders, sendPreflight } from '@/lib/base/http/origin'

/** What a request asks to be executed (docs/api/contract.md, section 2). */
export type GraphQLParams = {
  query: string
  variables: Record<string, unknown> | undefined
  operationName: string | undefined
}

const maxBodyBytes = 128 * 1024

/** Past this a client that keeps sending gets its answer before the end; what else it sends goes nowhere. */
const maxDrainBytes = 4 * 1024 * 1024

/**
 * Reads the body of POST /graphql/v2.
 * @throws AppError BAD_REQUEST saying what is wrong: the content type, an encoding, the size, the JSON or its form
 */
export async function readRequest(req: IncomingMessage): Promise<GraphQLParams> {
  requireJson(req)
  return paramsFrom(parseJson(await readBody(req)))
}

/** A browser sends a form or text/plain to a foreign origin unasked; insisting on JSON makes it ask (CORS) first. */
function requireJson(req: IncomingMessage): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') {
    throw refuse('Send JSON with the header Content-Type: application/json.')
  }
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw refuse('Send the request in UTF-8.')
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw refuse('Send the request without a Content-Encoding.')
}

/**
 * A reader of its own (the others share base/http/read-body): it lets a client finish what is too long, because most read no
 * answer before, and it takes the pieces as events, which costs a small query less than iterating over them.
 */
function readBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      else if (size > maxDrainBytes) reject(tooLarge())
    })
    req.on('end', () => {
      if (size > maxBodyBytes) reject(tooLarge())
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    req.on('error', () => reject(refuse('The request ended early.')))
    req.on('close', () => {
      if (!req.complete) reject(refuse('The request ended early.'))
    })
  })
}

const tooLarge = () => refuse(`The request is larger than ${maxBodyBytes} bytes.`)

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw refuse('The body is empty. Send a JSON object with a query.')
  if (!isUtf8(body)) throw refuse('The body is not UTF-8.')
  try {
    return JSON.parse(body.toString())
  } catch {
    throw refuse('The body is not JSON.')
  }
}

/** No input of the schema nests this deep, and what walks through one must not run out of stack. */
const maxNesting = 64

/**
 * PostgreSQL stores no NUL, so nothing it could be asked for is named with one.
 * @throws AppError BAD_REQUEST for NUL in a text, and for values in values in values
 */
function checkVariables(value: unknown, depth = 0): void {
  if (typeof value === 'string' && value.includes('\0')) throw refuse('`variables` must not hold NUL.')
  if (typeof value !== 'object' || value === null) return
  if (depth > maxNesting) throw refuse(`\`variables\` must not nest deeper than ${maxNesting} levels.`)
  for (const each of Object.values(value)) checkVariables(each, depth + 1)
}

/** The operation that a body asks for. @throws AppError BAD_REQUEST saying what of it has the wrong form */
export function paramsFrom(body: unknown): GraphQLParams {
  if (Array.isArray(body)) throw refuse('Batching is not supported. Send one operation per request.')
  if (!isObject(body)) throw refuse('The body must be a JSON object with a query.')
  const { query, variables, operationName } = body
  if (typeof query !== 'string' || query.trim() === '') throw refuse('`query` must be a text: the operation.')
  if (variables != null && !isObject(variables)) throw refuse('`variables` must be an object.')
  checkVariables(variables)
  if (operationName != null && typeof operationName !== 'string') {
    throw refuse('`operationName` must be a text.')
  }
  return { query, variables: variables ?? undefined, operationName: operationName || undefined }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (message: string) => new AppError('BAD_REQUEST', message)

const eventStream = 'text/event-stream'

/** Returns whether a client accepts a stream of events. */
export const takesStream = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.toLowerCase().includes(eventStream) ?? false

/** What goes back as JSON (docs/api/contract.md, section 2). */
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
