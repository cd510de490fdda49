import type { IncomingMessage } from 'node:http'
import type { ExecutionResult, GraphQLError } from 'graphql'
import type { GraphQLLimits } from '@/lib/base/config/limits'
import { canonical } from '@/lib/base/credentials/seal'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { claimKey, inRun, settleRun } from '@/lib/features/api-tokens/idempotency-keys'
import { requestApprovals } from '@/lib/features/approvals/request-approval'
import {
  countRequest,
  countUse,
  countWorkspaceRequests,
  type Usage,
} from '@/lib/features/figures/count-usage'
import { type Actor, isApp } from '@/lib/policy/actor'
import { userOf } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'
import { AnswerBudget } from './limits/answer-budget'
import { type Operation, prepare } from './pipeline'
import { originOf, type PresentedError } from './present-error'
import type { GraphQLParams } from './transport'

/**
 * The data that is collected about a request until the request ends: the app that sent the request, the
 * operation's cost, whether the operation is a mutation, the claimed idempotency key, and the endpoint if it
 * is not /graphql/v2.
 */
export type Progress = {
  app?: string
  cost?: Operation['cost']
  changes?: boolean
  once?: Once | undefined
  edge?: 'mcp'
}

/** A request of an authenticated caller, which was counted against the rate limit. */
export type Request = {
  caller: Caller
  usage: Usage
  traceId: string
  params: GraphQLParams
  limits?: GraphQLLimits
}

/**
 * Executes an operation for a caller. With an Idempotency-Key, a mutation takes effect only once, and a
 * repeated request returns the stored response. Also creates the approval requests that the operation
 * requires. If the caller is an app, counts the request for each workspace that the operation accessed.
 * @param progress receives the operation's cost, whether the operation is a mutation, and the claimed
 * idempotency key
 * @param http the HTTP request, which can have an Idempotency-Key header, and the response headers, which
 *   this function extends. If it is omitted, idempotency keys are not supported
 * @throws AppError or RequestErrors if the operation is a subscription or cannot be executed
 */
export async function executeFor(
  request: Request,
  progress: Progress,
  http?: Http,
): Promise<ExecutionResult> {
  const { actor } = request.caller
  markAsRead(actor)
  try {
    const result = await execute(request, progress, http)
    if (result.errors) await openApprovals(actor, result.errors, http?.headers)
    return result
  } finally {
    countWorkspaceRequests(actor)
  }
}

type Http = { req: IncomingMessage; headers: Record<string, string> }

function execute(
  { caller, usage, traceId, params, limits }: Request,
  progress: Progress,
  keyed: Http | undefined,
): ExecutionResult | Promise<ExecutionResult> {
  const { actor } = caller
  const operation = prepare(params, { traceId, caller, actor, usage, budget: new AnswerBudget(limits) })
  if (operation.subscribes) throw needsStream()
  progress.cost = operation.cost
  progress.changes = !operation.reads
  return operation.reads ? operation.execute() : executeMutations(operation, caller, params, progress, keyed)
}

async function executeMutations(
  operation: Operation,
  caller: Caller,
  params: GraphQLParams,
  progress: Progress,
  keyed: Http | undefined,
): Promise<ExecutionResult> {
  countAdditionalMutations(caller, operation.mutations, keyed?.headers ?? {})
  const once = keyed && (await claimOnce(keyed.req, caller, params))
  progress.once = once
  if (!once || !keyed) return operation.execute()
  if ('run' in once) return once.run(() => operation.execute())
  keyed.headers['idempotent-replayed'] = 'true'
  return once.first as ExecutionResult
}

const needsStream = () =>
  new AppError(
    'BAD_REQUEST',
    'Subscriptions are sent as an event stream. Send the header Accept: text/event-stream.',
  )

/**
 * Counts one request against the caller's rate limit, and sets the X-RateLimit headers. If the caller is an
 * app, also counts the request in the app's usage, even if the limit is reached.
 * @returns the state of the rate limit
 * @throws AppError RATE_LIMITED if the limit is reached
 */
export function countCaller(caller: Caller, headers: Record<string, string>): Usage {
  if (isApp(caller.actor)) countUse(caller.actor.clientId, 'requests')
  return countOnce(caller, headers)
}

/**
 * Counts every mutation of an operation, except the first, against the rate limit as a separate request.
 * Updates the X-RateLimit headers.
 * @param mutations the number of mutations in the operation, including the first, which was already counted
 * @throws AppError RATE_LIMITED if the limit is reached
 */
function countAdditionalMutations(caller: Caller, mutations: number, headers: Record<string, string>): void {
  for (let counted = 1; counted < mutations; counted++) countOnce(caller, headers)
}

function countOnce({ actor, credential }: Caller, headers: Record<string, string>): Usage {
  const userId = credential.table === 'api_tokens' ? userOf(actor) : undefined
  const usage = countRequest(credential, userId)
  const { allowed, limit, remaining, limited, resetsAt, resetsIn } = usage
  headers['x-ratelimit-limit'] = String(limit)
  headers['x-ratelimit-remaining'] = String(remaining)
  headers['x-ratelimit-reset'] = String(resetsAt)
  if (allowed) return usage
  log.warn('a limit was reached', { name: 'graphql-requests' })
  limitsReached.add({ limit: 'graphql-requests' })
  throw new AppError(
    'RATE_LIMITED',
    `${limited} reached the limit of ${limit} requests per hour. Try again later.`,
    {
      retryAfter: resetsIn,
    },
  )
}

/** The stored response to a request with an idempotency key. */
type StoredAnswer = { data?: unknown; errors?: PresentedError[] | undefined }

/**
 * The result of claiming an idempotency key: a stored response, or the functions that execute the mutation
 * and store its response.
 */
type Once =
  | { first: StoredAnswer }
  | {
      run: (execute: () => ExecutionResult | Promise<ExecutionResult>) => ReturnType<typeof execute>
      settle: (answer: StoredAnswer) => Promise<void>
    }

/**
 * Reads the Idempotency-Key header of a mutation (draft-ietf-httpapi-idempotency-key-header) and claims the
 * key. The returned `settle` stores the response for the rest of the key's 24 hours, unless the mutation
 * changed nothing or the response is too long. See ADR 0013.
 * @returns the stored response to an equal request, or the functions for a new attempt; undefined if the
 *   request does not have the header
 * @throws AppError BAD_REQUEST for a malformed header, and the errors of `claimKey`
 */
async function claimOnce(
  req: IncomingMessage,
  { actor, credential }: Caller,
  params: GraphQLParams,
): Promise<Once | undefined> {
  const key = keyOf(req)
  if (key === undefined) return undefined
  const scopes = isApp(actor) ? [...actor.scopes].sort() : []
  const request = { credentialId: credential.id, key, asked: canonical({ ...params, scopes }) }
  const claimed = await claimKey(request)
  if ('answer' in claimed) return { first: JSON.parse(claimed.answer) as StoredAnswer }
  return {
    run: (execute) => inRun(claimed.run, execute),
    settle: ({ data, errors }) =>
      settleRun(request, claimed.run, hasEffect(data) ? JSON.stringify({ data, errors }) : undefined),
  }
}

/** Returns whether the response shows that a mutation changed something. */
export const hasEffect = (data: unknown): boolean => Object.values(data ?? {}).some((each) => each !== null)

/** A quoted string of 1 to 255 characters, as in a structured field (RFC 9651 section 3.3.3). */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/
/** A key without quotes, which many clients send. It cannot contain spaces, quotes, commas, or semicolons. */
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]{1,255}$/

function keyOf(req: IncomingMessage): string | undefined {
  const header = req.headers['idempotency-key']
  if (header === undefined) return undefined
  const text = String(header).trim()
  const key = quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? bare.exec(text)?.[0]
  if (key !== undefined) return key
  throw new AppError(
    'BAD_REQUEST',
    'Idempotency-Key must be a single value of 1 to 255 visible characters, such as a UUID in quotes.',
  )
}

/**
 * Marks the operation of an app that acts for a user as a read. The operation counts as a read except while
 * one of its mutations runs. An unmarked operation counts as a change. Does nothing for other callers.
 */
export function markAsRead(actor: Actor): void {
  if (actor.kind === 'oauth') actor.operation = { kind: 'read' }
}

/**
 * Opens an approval request for each APPROVAL_REQUIRED error, unless a request for the same operation is
 * already open. Adds the URL of the approval page, where the user decides, to the error.
 * @param headers the response headers, to which a challenge is added if there is such an error (RFC 9470
 *   section 3). The status stays 200, as for every authorization failure, because clients discard a valid
 *   token after a 401
 */
async function openApprovals(
  actor: Actor,
  errors: readonly GraphQLError[],
  headers: Record<string, string> = {},
): Promise<void> {
  const refusals = errors
    .map(originOf)
    .filter(isAppError)
    .filter(({ code }) => code === 'APPROVAL_REQUIRED')
  if (refusals.length === 0) return
  await requestApprovals(actor, refusals)
  headers['www-authenticate'] =
    'Bearer error="insufficient_user_authentication", error_description="This action requires approval by the user."'
}
