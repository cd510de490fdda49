import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'

/** Error codes of connections that could not be opened or were lost. See ADR 0038. */
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's codes: the database is unreachable, timed out, or closed the connection, no connection is free,
  // or a transaction could not start.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  // Errors that Prisma's driver adapter reports with a kind instead of a code.
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
])

/**
 * Matches PostgreSQL's error codes for an unavailable database (appendix A of its manual): the classes 08
 * (connection exception), 53 (insufficient resources), 57P (shutting down or starting), and 58 (system
 * error), and the codes 57014 (canceled statement) and 25006 (the server is a standby).
 */
const unavailable = /^(08|53|57P|58)|^57014$|^25006$/

/**
 * Matches the messages of errors that have no code. They come from the driver and from lib/base/db/watch.ts.
 */
const messages =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|the database has sent nothing)/

/**
 * Matches Citus's message for a lost idle connection to a worker. Its code cannot be matched, because Citus
 * uses the code of an internal error. Prisma rewords the rest of the message.
 */
const lostWorker = /failure on connection marked as essential/

/**
 * The number of levels of wrapped errors to search. Prisma wraps the driver's errors, and GraphQL wraps
 * Prisma's errors.
 */
const depth = 5

/**
 * Returns whether an error means that the database is unavailable, overloaded, or full. In these cases, the
 * same request can succeed later.
 */
export function isOutage(error: unknown, left = depth): boolean {
  if (typeof error !== 'object' || error === null || left === 0) return false
  const { name, message, code, originalCode, kind, cause, originalError, meta } = error as WithCause
  // These errors can have the same codes as an outage, but mean that another service, such as an app's
  // endpoint, was unreachable.
  if (name === 'OutboundError' || message === 'fetch failed') return false
  // Node throws this error if a client disconnects before its request is complete. Check for it before
  // checking the codes, because its code, ECONNRESET, is also in `lost`.
  if (message === 'aborted') return false
  const codes = [code, originalCode, kind].filter((each) => typeof each === 'string')
  if (codes.some((each) => lost.has(each) || unavailable.test(each))) return true
  if (typeof message === 'string' && (messages.test(message) || lostWorker.test(message))) return true
  return [cause, originalError, meta?.driverAdapterError].some((inner) => isOutage(inner, left - 1))
}

/** The properties of errors from the driver, Prisma, and GraphQL that `isOutage` reads. */
type WithCause = Partial<
  Record<'name' | 'message' | 'code' | 'originalCode' | 'kind' | 'cause' | 'originalError', unknown>
> & { meta?: { driverAdapterError?: unknown } }

/**
 * Returns the public error for an outage and logs the details.
 * @param where a name for the caller in the log
 * @returns undefined for every other error
 */
export function toOutageError(error: unknown, where: string): AppError | undefined {
  if (!isOutage(error)) return undefined
  log.warn('the database does not answer', { name: where, error })
  return new AppError('SERVICE_UNAVAILABLE', undefined, { retryAfter: outageRetrySeconds })
}

/**
 * Logs that a connection to the database was lost. The log entry has no request ID, even if a request opened
 * the connection.
 */
export const logLostConnection = (error: Error): void =>
  outsideRequests(() => log.warn('a connection to the database was lost', { error }))

/**
 * Returns the columns of the unique constraint that a Prisma write violated. With a driver adapter, P2002 has
 * no `meta.target`, so this function reads the constraint from the driver's own error.
 * @returns the column names, the index name as the only item, or an empty array if the driver reports
 * neither; undefined if the error is not a unique violation
 */
export function uniqueViolation(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || (error as { code?: string }).code !== 'P2002') return undefined
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { constraint?: unknown } } } }).meta
  const constraint = meta?.driverAdapterError?.cause?.constraint as
    | { fields?: string[]; index?: string }
    | undefined
  return constraint?.fields ?? (constraint?.index ? [constraint.index] : [])
}

/**
 * Prisma's codes for a foreign key violation and a missing row, and PostgreSQL's code for a foreign key
 * violation.
 */
const codes = new Set(['P2003', 'P2025', '23503'])

/**
 * Returns whether a write failed because a row that it changes or refers to does not exist. Permissions are
 * checked before the write, so the row was deleted in the meantime. The client should receive the same
 * NOT_FOUND error as if it had sent the request after the deletion.
 */
export const isMissingRow = (error: unknown): boolean =>
  error instanceof Error && codes.has(String((error as { code?: unknown }).code))
