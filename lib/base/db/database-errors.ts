import { AppError, outageRetrySeconds } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'

/** What Node and the system say of a connection that cannot be made or was lost. See decision 107. */
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's: not reached, given up, closed, no connection to be had, a transaction that could not begin.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  // Kinds of its driver adapter, which keep no code.
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
])

/**
 * What PostgreSQL itself says when it cannot serve (appendix A of its manual): classes 08 connection exception, 53 no
 * resources left (connections, memory, disk), 57P shutting down or starting, 58 system error; a statement that took too
 * long; and a server that turned out to be a standby.
 */
const unable = /^(08|53|57P|58)|^57014$|^25006$/

/** The driver's own errors have no code. */
const words =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|the database has sent nothing)/

/** Citus, of a connection to a worker that went while nobody used it, as an internal error; Prisma puts it into words of its own. */
const lostWorker = /failure on connection marked as essential/

/** How deep an error may lie within others; Prisma wraps the driver's, and GraphQL what it throws. */
const depth = 5

/**
 * Whether an error says that the database is away, overloaded or full, and so that the same request may succeed later. What
 * it does not know is a defect.
 */
export function isOutage(error: unknown, left = depth): boolean {
  if (typeof error !== 'object' || error === null || left === 0) return false
  const { name, message, code, originalCode, kind, cause, originalError, meta } = error as Told
  // Somebody else's address that cannot be reached, such as an app's: what it wraps says the same of another connection.
  if (name === 'OutboundError' || message === 'fetch failed') return false
  // What Node says of a client that went away before its request had come; it uses the system's code.
  if (message === 'aborted') return false
  const codes = [code, originalCode, kind].filter((each) => typeof each === 'string')
  if (codes.some((each) => lost.has(each) || unable.test(each))) return true
  if (typeof message === 'string' && (words.test(message) || lostWorker.test(message))) return true
  return [cause, originalError, meta?.driverAdapterError].some((inner) => isOutage(inner, left - 1))
}

/** Where errors of the driver, of Prisma and of GraphQL say what happened, and what they wrap. */
type Told = Partial<
  Record<'name' | 'message' | 'code' | 'originalCode' | 'kind' | 'cause' | 'originalError', unknown>
> & { meta?: { driverAdapterError?: unknown } }

/**
 * What is told of an error that says so; what it was is written to the log.
 * @param where for the log: who met it
 * @returns undefined for every other error
 */
export function outageOf(error: unknown, where: string): AppError | undefined {
  if (!isOutage(error)) return undefined
  log.warn('the database does not answer', { name: where, error })
  return new AppError('SERVICE_UNAVAILABLE', undefined, { retryAfter: outageRetrySeconds })
}

/** Tells of a connection that the other end closed. It belongs to no request, though one opened it. */
export const logLostConnection = (error: Error): void =>
  outsideRequests(() => log.warn('a connection to the database was lost', { error }))

/**
 * The columns of a unique constraint that a Prisma write violated.
 * With a driver adapter P2002 carries no `meta.target`; the driver's own error names the constraint.
 * @returns the column names or the index name in a list of one; undefined for any other error
 */
export function uniqueViolation(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || (error as { code?: string }).code !== 'P2002') return undefined
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { constraint?: unknown } } } }).meta
  const constraint = meta?.driverAdapterError?.cause?.constraint as
    | { fields?: string[]; index?: string }
    | undefined
  return constraint?.fields ?? (constraint?.index ? [constraint.index] : [])
}

/** Prisma's foreign key violation and missing row, and PostgreSQL's own code of the former. */
const codes = new Set(['P2003', 'P2025', '23503'])

/**
 * Whether a write failed because a row it hangs on, or the row itself, was deleted after the rights were decided. To the
 * caller that is the same as asking a moment later: nothing is found.
 */
export const isGoneMeanwhile = (error: unknown): boolean =>
  error instanceof Error && codes.has(String((error as { code?: unknown }).code))
