import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { AppError } from '@/lib/base/errors/app-error'

/** What a request asks to be executed (docs/contract.md, section 2). */
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
  return readBody(req).then((body) => paramsFrom(parseJson(body)))
}

/** A browser sends a form or text/plain to a foreign origin unasked; insisting on JSON makes it ask (CORS) first. */
function requireJson(req: IncomingMessage): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') {
    throw refuse('Send the request as JSON, with the header Content-Type: application/json.')
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
  if (body.length === 0) throw refuse('The body is empty; send a JSON object with a query.')
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
  if (Array.isArray(body)) throw refuse('Batching is not supported: send one operation a request.')
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
