import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { isMissingRow, toOutageError } from '@/lib/base/db/database-errors'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { type ErrorCode, errorCodes } from '@/lib/base/errors/codes'
import { log } from '@/lib/base/log/log'
import { refusals } from '@/lib/base/telemetry/metrics'

/** An error in the format of the API contract, always with a code and the trace ID. */
export type PresentedError = GraphQLFormattedError & {
  extensions: { code: ErrorCode; traceId: string; retryAfter?: number }
}

/** Errors from parsing or validation, which prevent a document from being executed. */
export class RequestErrors extends Error {
  constructor(
    readonly code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED',
    readonly errors: readonly GraphQLError[],
  ) {
    super(errorCodes[code].message)
  }
}

/**
 * Converts an error to the format of the API contract, and counts it in a metric. Any error except an
 * AppError, an invalid query or input, a missing row, or a database outage is a defect: it is logged with the
 * trace ID, and the caller receives only a general message, the field's path, and the trace ID.
 * @param phase the code for GraphQL errors that have neither a code nor a path
 * @param edge the endpoint of the request, which is a label in metrics
 */
export function presentError(
  error: unknown,
  traceId: string,
  phase: ErrorCode = 'INTERNAL_SERVER_ERROR',
  edge: 'graphql' | 'mcp' = 'graphql',
): PresentedError {
  const presented = present(error, traceId, phase)
  refusals.add({ edge, code: presented.extensions.code })
  return presented
}

function present(error: unknown, traceId: string, phase: ErrorCode): PresentedError {
  const cause = originOf(error)
  const place = error instanceof GraphQLError ? { locations: error.locations, path: error.path } : {}
  if (isAppError(cause)) return { message: cause.message, ...place, extensions: extensionsOf(cause, traceId) }
  if (cause instanceof GraphQLError) {
    const code = codeOf(cause) ?? (cause.path ? 'BAD_USER_INPUT' : phase)
    if (code !== 'INTERNAL_SERVER_ERROR') {
      return { message: placed(error, cause), ...place, extensions: { code, traceId } }
    }
  }
  if (isMissingRow(cause)) {
    const gone = new AppError('NOT_FOUND')
    return { message: gone.message, ...place, extensions: extensionsOf(gone, traceId) }
  }
  const outage = toOutageError(cause, 'graphql')
  if (outage) return { message: outage.message, ...place, extensions: extensionsOf(outage, traceId) }
  log.error('a GraphQL operation failed', { error: cause })
  const code = 'INTERNAL_SERVER_ERROR'
  return { message: errorCodes[code].message, ...place, extensions: { code, traceId } }
}

/**
 * Returns the message of an error. If the error is about a variable, adds the variable's name and path. Omits
 * the variable's value, because it might be a secret and errors are often logged.
 */
function placed(error: unknown, { message }: GraphQLError): string {
  if (!(error instanceof GraphQLError) || !error.message.endsWith(`; ${message}`)) return message
  const before = error.message.slice(0, -message.length - 2)
  const [, variable] = /^Variable "(\$\w+)" got invalid value /.exec(before) ?? []
  const [, at] = / at "([\w.[\]]+)"$/.exec(before) ?? []
  return variable ? `Variable "${variable}" is not valid${at ? ` at "${at}"` : ''}: ${message}` : message
}

/**
 * Returns the HTTP status of a response that contains only these errors: the highest status of their codes,
 * or 200 if there are no errors.
 */
export const statusOf = (errors: readonly PresentedError[]): number =>
  Math.max(200, ...errors.map((error) => errorCodes[error.extensions.code].graphql))

const extensionsOf = ({ code, details }: AppError, traceId: string) => ({ code, traceId, ...details })

/**
 * Returns the original error of a resolver, or the given error if it wraps no other error. During execution,
 * graphql-js wraps a resolver's error, sometimes more than once.
 */
export function originOf(error: unknown): unknown {
  let origin = error
  while (origin instanceof GraphQLError && origin.originalError) origin = origin.originalError
  return origin
}

const codeOf = ({ extensions }: GraphQLError): ErrorCode | undefined =>
  typeof extensions?.code === 'string' && Object.hasOwn(errorCodes, extensions.code)
    ? (extensions.code as ErrorCode)
    : undefined
