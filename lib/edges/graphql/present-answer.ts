import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { countUse, type Usage } from '@/lib/features/figures/count-usage'
import { isApp } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import { executeFor, type Progress, wasDone } from './execute-for'
import { type PresentedError, presentError, RequestErrors, statusOf } from './present-error'
import { paramsFrom } from './transport'

/** What an operation came to, in the form of the contract. */
export type Presented = {
  status: number
  data?: ExecutionResult['data']
  errors?: readonly PresentedError[] | undefined
}

/**
 * Does the work of a request and puts what came of it into the form of the contract, whatever is thrown.
 * @param headers of the answer; Retry-After is added where the request as a whole may be sent again
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
    const status = errors && mayBeRepeated(result, errors, progress) ? statusOf(errors) : 200
    if (errors && status === 503) sayWhenToRetry(errors, headers)
    if (errors && progress.app) countUse(progress.app, 'errors')
    return { status, data: result.data, errors }
  } catch (error) {
    const errors = presentAll(error, traceId, progress)
    if (progress.app) countUse(progress.app, 'errors')
    sayWhenToRetry(errors, headers)
    return { status: statusOf(errors), errors }
  }
}

/**
 * Whether the status may say what is wrong, for whoever repeats a request by its status alone: nothing was executed, as the
 * variables did not fit, or the database went away. Not when it did so after a mutation had changed something: `data` and
 * `errors` tell what was done and what was not; nor when a mutation was ended, of which nobody knows how far it got.
 */
const mayBeRepeated = ({ data }: ExecutionResult, errors: readonly PresentedError[], { changes }: Progress) =>
  data === undefined || (isAway(errors) && !(changes && (wasDone(data) || wasEnded(errors))))

/** What a field is refused for has its path; what ends an operation has none. */
const wasEnded = (errors: readonly PresentedError[]): boolean => errors.some(({ path }) => path === undefined)

const isAway = (errors: readonly PresentedError[]): boolean =>
  errors.some(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')

/** Repeats as a header when the request as a whole may be sent again, past a limit or during an outage. */
function sayWhenToRetry(errors: readonly PresentedError[], headers: Record<string, string>): void {
  const seconds = errors.find(({ extensions }) => extensions.retryAfter !== undefined)?.extensions.retryAfter
  if (seconds !== undefined) headers['retry-after'] = String(seconds)
}

const presentAll = (error: unknown, traceId: string, { edge }: Progress): PresentedError[] =>
  error instanceof RequestErrors
    ? error.errors.map((each) => presentError(each, traceId, error.code, edge))
    : [presentError(error, traceId, undefined, edge)]

/** Who asks at another edge, where their request was authenticated and counted, and its HTTP request with the headers of its answer. */
type Asking = {
  caller: Caller
  usage: Usage
  traceId: string
  http: { req: IncomingMessage; headers: Record<string, string> }
}

/**
 * Executes an operation for another edge, whose request was authenticated and counted there: what is answered is what
 * POST /graphql/v2 answers, an Idempotency-Key included. Never rejects.
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
