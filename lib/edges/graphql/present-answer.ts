import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { countUse, type Usage } from '@/lib/features/figures/count-usage'
import { isApp } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import { executeFor, hasEffect, type Progress } from './execute-for'
import { type PresentedError, presentError, RequestErrors, statusOf } from './present-error'
import { paramsFrom } from './transport'

/** The result of an operation, in the format of the API contract. */
export type Presented = {
  status: number
  data?: ExecutionResult['data']
  errors?: readonly PresentedError[] | undefined
}

/**
 * Runs a request and converts its result, or the error that it throws, to the format of the API contract. If
 * the request claimed an idempotency key, stores the result. If the response has errors, counts one error in
 * the app's usage. The promise never rejects.
 * @param headers the response headers, to which Retry-After is added if the whole request can be sent again
 *   and an error specifies when
 */
export async function presentAnswer(
  traceId: string,
  progress: Progress,
  headers: Record<string, string>,
  work: () => Promise<ExecutionResult>,
): Promise<Presented> {
  try {
    const result = await work()
    const { once } = progress
    const errors =
      once && 'first' in once
        ? once.first.errors
        : result.errors?.map((error) =>
            presentError(error, traceId, 'GRAPHQL_VALIDATION_FAILED', progress.edge),
          )
    if (once && 'settle' in once) await once.settle({ data: result.data, errors })
    const status = errors && canRetry(result, errors, progress) ? statusOf(errors) : 200
    if (errors && status === 503) setRetryAfter(errors, headers)
    if (errors && progress.app) countUse(progress.app, 'errors')
    return { status, data: result.data, errors }
  } catch (error) {
    const errors = presentAll(error, traceId, progress)
    if (progress.app) countUse(progress.app, 'errors')
    setRetryAfter(errors, headers)
    return { status: statusOf(errors), errors }
  }
}

/**
 * Returns whether the HTTP status can report the error. Clients decide whether to retry based only on the
 * status. The status can report the error if nothing was executed, or if the database was unavailable.
 * However, if a mutation changed something or was interrupted during the outage, the status is 200, and only
 * `data` and `errors` report the outcome.
 */
const canRetry = ({ data }: ExecutionResult, errors: readonly PresentedError[], { changes }: Progress) =>
  data === undefined || (isOutage(errors) && !(changes && (hasEffect(data) || wasEnded(errors))))

/** Returns whether an error ended the operation. Such an error has no path, unlike the error of a field. */
const wasEnded = (errors: readonly PresentedError[]): boolean => errors.some(({ path }) => path === undefined)

const isOutage = (errors: readonly PresentedError[]): boolean =>
  errors.some(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')

/** Sets the Retry-After header to the first `retryAfter` of the errors. Does nothing if no error has one. */
function setRetryAfter(errors: readonly PresentedError[], headers: Record<string, string>): void {
  const seconds = errors.find(({ extensions }) => extensions.retryAfter !== undefined)?.extensions.retryAfter
  if (seconds !== undefined) headers['retry-after'] = String(seconds)
}

const presentAll = (error: unknown, traceId: string, { edge }: Progress): PresentedError[] =>
  error instanceof RequestErrors
    ? error.errors.map((each) => presentError(each, traceId, error.code, edge))
    : [presentError(error, traceId, undefined, edge)]

/**
 * A request that another endpoint authenticated and counted: the caller, the state of the rate limit, the
 * trace ID, and the HTTP request with the response headers.
 */
type Asking = {
  caller: Caller
  usage: Usage
  traceId: string
  http: { req: IncomingMessage; headers: Record<string, string> }
}

/**
 * Executes an operation for another endpoint, which authenticated and counted the request. The status, data,
 * and errors are the same as from POST /graphql/v2, and an Idempotency-Key has the same effect. Retry-After
 * is not set. The promise never rejects.
 */
export async function runOperation(
  { caller, usage, traceId, http }: Asking,
  operation: { query: string; variables?: Record<string, unknown> },
): Promise<Presented> {
  const progress: Progress = { edge: 'mcp', ...(isApp(caller.actor) ? { app: caller.actor.clientId } : {}) }
  return presentAnswer(traceId, progress, {}, async () =>
    executeFor({ caller, usage, traceId, params: paramsFrom(operation) }, progress, http),
  )
}
