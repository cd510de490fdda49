import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '@/lib/base/errors/app-error'
import { sendJson } from '@/lib/base/http/answers'
import { corsHeaders, sendPreflight } from '@/lib/base/http/origin'

/** The operation in a request (docs/api/contract.md, section 2). */
export type GraphQLParams = {
  query: string
  variables: Record<string, unknown> | undefined
  operationName: string | undefined
}

const maxBodyBytes = 128 * 1024

/**
 * The number of bytes above which a body is rejected before the client has finished sending it. Further bytes
 * are discarded.
 */
const maxDrainBytes = 4 * 1024 * 1024

/**
 * Reads the operation from the body of POST /graphql/v2.
 * @throws AppError BAD_REQUEST that names the problem, such as the content type, the size, or a malformed
 * part
 */
export async function readRequest(req: IncomingMessage): Promise<GraphQLParams> {
  requireJson(req)
  return paramsFrom(parseJson(await readBody(req)))
}

/**
 * Checks that the headers declare uncompressed JSON in UTF-8. Other content types are rejected because
 * browsers send forms and text/plain to other origins without a CORS preflight.
 * @throws AppError BAD_REQUEST
 */
function requireJson(req: IncomingMessage): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') {
    throw refuse('The body must be JSON. Send it with the header Content-Type: application/json.')
  }
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset))
    throw refuse('This charset is not supported. Send the request in UTF-8.')
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw refuse('Content-Encoding is not supported. Send the body uncompressed.')
}

/**
 * Reads a body. Unlike `readBody` in base/http/body, this function lets clients finish sending a body that is
 * too long, up to `maxDrainBytes`, because most clients read the response only after they have sent the whole
 * body. Uses events, because async iteration costs more for a small body.
 * @throws AppError BAD_REQUEST if the body is too long or incomplete
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
    req.on('error', () => reject(refuse('The request ended before its body was complete. Send it again.')))
    req.on('close', () => {
      if (!req.complete) reject(refuse('The request ended before its body was complete. Send it again.'))
    })
  })
}

const tooLarge = () => refuse(`The request is larger than ${maxBodyBytes} bytes. Send a smaller request.`)

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw refuse('The body is empty. Send a JSON object with a query.')
  if (!isUtf8(body)) throw refuse('The body is not valid UTF-8. Send it in UTF-8.')
  try {
    return JSON.parse(body.toString())
  } catch {
    throw refuse('The body is not valid JSON. Send a JSON object with a query.')
  }
}

/**
 * The maximum nesting of variables, deeper than any input in the schema. The limit prevents a stack overflow
 * in `checkVariables`.
 */
const maxNesting = 64

/**
 * Checks that no string in the variables contains NUL characters, which PostgreSQL cannot store, and that the
 * variables are not nested too deeply.
 * @throws AppError BAD_REQUEST
 */
function checkVariables(value: unknown, depth = 0): void {
  if (typeof value === 'string' && value.includes('\0'))
    throw refuse('`variables` must not contain NUL characters.')
  if (typeof value !== 'object' || value === null) return
  if (depth > maxNesting) throw refuse(`\`variables\` can be nested up to ${maxNesting} levels deep.`)
  for (const each of Object.values(value)) checkVariables(each, depth + 1)
}

/**
 * Checks a parsed body and returns its operation. @throws AppError BAD_REQUEST that names the malformed part
 */
export function paramsFrom(body: unknown): GraphQLParams {
  if (Array.isArray(body)) throw refuse('Batching is not supported. Send one operation per request.')
  if (!isObject(body)) throw refuse('The body must be a JSON object with a query.')
  const { query, variables, operationName } = body
  if (typeof query !== 'string' || query.trim() === '')
    throw refuse('`query` must be a string that contains the operation.')
  if (variables != null && !isObject(variables)) throw refuse('`variables` must be an object.')
  checkVariables(variables)
  if (operationName != null && typeof operationName !== 'string') {
    throw refuse('`operationName` must be a string.')
  }
  return { query, variables: variables ?? undefined, operationName: operationName || undefined }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (message: string) => new AppError('BAD_REQUEST', message)

const eventStream = 'text/event-stream'

/** Returns whether a client accepts a stream of events. */
export const acceptsStream = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.toLowerCase().includes(eventStream) ?? false

/** A JSON response (docs/api/contract.md, section 2). */
export type Answer = {
  data?: unknown
  errors?: readonly unknown[]
  extensions: { traceId: string; cost?: { requested: number; budget: number } | undefined }
}

/**
 * Sends a JSON response, even if the client does not accept JSON. Uses the first of the two supported media
 * types that the client accepts, or else `application/json`.
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

/** Starts the response to a subscription: server-sent events, which proxies must not cache or buffer. */
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

/**
 * The CORS headers that let any site call the API. All sites can safely call the API, because it ignores
 * everything that browsers send automatically, such as cookies.
 */
const cors = corsHeaders('*')

/** Answers a CORS preflight request. */
export const writePreflight = (req: IncomingMessage, res: ServerResponse): void =>
  sendPreflight(req, res, cors, 'authorization, content-type')

const graphqlJson = 'application/graphql-response+json'

/**
 * Returns the first of the two supported JSON types in an Accept header, or `application/json` if it contains
 * neither.
 */
function mediaType(accept: string | undefined): string {
  if (!accept?.includes(graphqlJson)) return 'application/json'
  const types = accept.split(',').map((each) => each.split(';')[0]?.trim())
  return types.find((type) => type === graphqlJson || type === 'application/json') ?? 'application/json'
}
