import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { inRequest, newRequestId, requestId } from '@/lib/base/log/request-scope'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { countUse } from '@/lib/features/apps/usage/count-use'
import { countRequest, type Usage } from '@/lib/features/request-counts/count-request'
import type { Caller } from '@/lib/policy/bearer'
import { claimOnce, type Once } from './answer-once'
import { addressOf, authenticate, challenge, type Stranger } from './authenticate'
import { AnswerBudget } from './limits/answer-budget'
import { limitStranger } from './limits/limit-strangers'
import { type Operation, prepare } from './pipeline'
import { type PresentedError, presentError, RequestErrors, statusOf } from './present-error'
import { type GraphQLParams, readRequest } from './read-request'
import { isBrowserVisit, writePreflight, writeRedirect, writeResponse } from './write-response'

/**
 * POST /graphql/v2 (docs/contract.md, section 2; decision 021), for Node's HTTP server. Every answer is JSON with a
 * `traceId`, the name of the request: 400 for a request that is malformed or does not fit the schema, 429 past the rate limit, 503 while the
 * database is away (unless some of a mutation is done by then), otherwise 200.
 */
export async function handleGraphQL(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === 'OPTIONS') return writePreflight(req, res)
  if (isBrowserVisit(req)) return writeRedirect(res, '/graphql/explorer')
  const traceId = requestId()
  if (traceId === undefined) return inRequest(newRequestId(), () => handleGraphQL(req, res))
  const headers: Record<string, string> = {}
  const asking: Asking = {}
  try {
    if (req.method !== 'POST') {
      headers.allow = 'POST, OPTIONS'
      throw new AppError('BAD_REQUEST', 'Send the operation with POST.')
    }
    const result = await answer(req, traceId, headers, asking)
    const { cost, once } = asking
    const errors =
      once && 'first' in once
        ? once.first.errors
        : result.errors?.map((error) => presentError(error, traceId, 'GRAPHQL_VALIDATION_FAILED'))
    if (once && 'settle' in once) await once.settle({ data: result.data, errors })
    const status = errors && mayBeRepeated(result, errors, asking) ? statusOf(errors) : 200
    if (errors && status === 503) sayWhenToRetry(errors, headers)
    if (errors && asking.app) countUse(asking.app, 'errors')
    writeResponse(req, res, status, { data: result.data, errors, extensions: { traceId, cost } }, headers)
  } catch (error) {
    const errors = presentAll(error, traceId)
    if (asking.app) countUse(asking.app, 'errors')
    sayWhenToRetry(errors, headers)
    const status = 'allow' in headers ? 405 : statusOf(errors)
    writeResponse(req, res, status, { errors, extensions: { traceId } }, headers)
  }
}

/**
 * Whether the status may say what is wrong, for whoever repeats a request by its status alone: nothing was executed, as the
 * variables did not fit, or the database went away. Not when it did so after a mutation had changed something: `data` and
 * `errors` tell what was done and what was not.
 */
const mayBeRepeated = ({ data }: ExecutionResult, errors: readonly PresentedError[], { changes }: Asking) =>
  data === undefined ||
  (isAway(errors) && !(changes && Object.values(data ?? {}).some((each) => each !== null)))

const isAway = (errors: readonly PresentedError[]): boolean =>
  errors.some(({ extensions }) => extensions.code === 'SERVICE_UNAVAILABLE')

/** Repeats as a header when the request as a whole may be sent again, past a limit or during an outage. */
function sayWhenToRetry(errors: readonly PresentedError[], headers: Record<string, string>): void {
  const seconds = errors.find(({ extensions }) => extensions.retryAfter !== undefined)?.extensions.retryAfter
  if (seconds !== undefined) headers['retry-after'] = String(seconds)
}

/** What is known of a request when it ends: the app whose usage it is, what the operation cost, and of a mutation, that it is one and its key. */
type Asking = { app?: string; cost?: Operation['cost']; changes?: boolean; once?: Once | undefined }

/** The steps of a request, in order; each may end it by throwing. */
async function answer(
  req: IncomingMessage,
  traceId: string,
  headers: Record<string, string>,
  asking: Asking,
): Promise<ExecutionResult> {
  const params = await readRequest(req)
  const { result: caller } = await readFromReplicas(() => authenticate(req))
  if (!('actor' in caller)) return answerStranger(req, params, caller, headers, traceId)
  const { actor } = caller
  if (actor.kind === 'oauth') {
    asking.app = actor.clientId
    countUse(asking.app, 'requests')
  }
  const usage = limitRate(caller, headers)
  const operation = () => prepare(params, { traceId, caller, actor, usage, budget: new AnswerBudget() })
  const first = operation()
  asking.cost = first.cost
  asking.changes = !first.reads
  if (!first.reads) {
    const once = await claimOnce(req, caller, params)
    asking.once = once
    if (!once) return first.execute()
    if ('run' in once) return once.run(() => first.execute())
    headers['idempotent-replayed'] = 'true'
    return once.first as ExecutionResult
  }
  const { result, fromReplica } = await readFromReplicas(async () => first.execute())
  // What a replica refuses may have been allowed a moment ago.
  return fromReplica && isRefused(result) ? operation().execute() : result
}

/** Whether an answer lacks something, for another reason than what it would come to. */
const isRefused = ({ errors = [] }: ExecutionResult): boolean =>
  errors.length > 0 &&
  errors.every(
    ({ originalError }) => (originalError as { code?: unknown } | undefined)?.code !== 'QUERY_TOO_COMPLEX',
  )

/** The schema is for everyone; what else a stranger asks is refused, and a dead token is before anything is looked at. */
async function answerStranger(
  req: IncomingMessage,
  params: GraphQLParams,
  stranger: Stranger,
  headers: Record<string, string>,
  traceId: string,
): Promise<ExecutionResult> {
  if (stranger.sentToken) throw unauthenticated(stranger, headers)
  await limitStranger(addressOf(req))
  const operation = prepare(params, { traceId, budget: new AnswerBudget() })
  if (!operation.introspection) throw unauthenticated(stranger, headers)
  return operation.execute()
}

/** Counts the request, and says where the caller stands. @throws AppError RATE_LIMITED */
function limitRate({ credential, person }: Caller, headers: Record<string, string>): Usage {
  const personId = credential.table === 'api_tokens' ? person.id : undefined
  const usage = countRequest(credential, personId)
  const { allowed, limit, remaining, limited, resetsAt, resetsIn } = usage
  headers['x-ratelimit-limit'] = String(limit)
  headers['x-ratelimit-remaining'] = String(remaining)
  headers['x-ratelimit-reset'] = String(resetsAt)
  if (allowed) return usage
  log.warn('a limit was reached', { name: 'graphql-requests' })
  limitsReached.add({ limit: 'graphql-requests' })
  throw new AppError('RATE_LIMITED', `${limited} may send ${limit} requests an hour.`, {
    retryAfter: resetsIn,
  })
}

function unauthenticated(stranger: Stranger, headers: Record<string, string>): AppError {
  headers['www-authenticate'] = challenge(stranger)
  return new AppError(
    'UNAUTHENTICATED',
    stranger.sentToken
      ? 'The token is unknown, expired or revoked.'
      : 'Send an access token or an API token.',
  )
}

const presentAll = (error: unknown, traceId: string): PresentedError[] =>
  error instanceof RequestErrors
    ? error.errors.map((each) => presentError(each, traceId, error.code))
    : [presentError(error, traceId)]
