import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { countReach, countUse } from '@/lib/features/apps/activity/count-use'
import { countRequest, type Usage } from '@/lib/features/figures/count-request'
import { isApp } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'
import type { Caller } from '@/lib/policy/bearer'
import { claimOnce, type Once } from './answer-once'
import { announceReading, openApprovals } from './approvals'
import { AnswerBudget } from './limits/answer-budget'
import { type Operation, prepare } from './pipeline'
import type { GraphQLParams } from './read-request'

/**
 * What is known of a request when it ends: the app whose usage it is, what the operation cost, and of a mutation, that it is
 * one and its key; and the edge where it was asked, unless that is this one.
 */
export type Progress = {
  app?: string
  cost?: Operation['cost']
  changes?: boolean
  once?: Once | undefined
  edge?: 'mcp'
}

/** An operation of somebody whose request was counted. */
export type Request = { caller: Caller; usage: Usage; traceId: string; params: GraphQLParams }

/**
 * Executes an operation for a caller; a mutation once for its Idempotency-Key.
 * @param progress learns what it costs and whether it changes anything
 * @param http the request, whose header may hold an Idempotency-Key, and the headers of its answer
 * @throws AppError and RequestErrors for what keeps it from being executed
 */
export async function executeFor(
  request: Request,
  progress: Progress,
  http?: Http,
): Promise<ExecutionResult> {
  const { actor } = request.caller
  announceReading(actor)
  try {
    const result = await execute(request, progress, http)
    if (result.errors) await openApprovals(actor, result.errors, http?.headers)
    return result
  } finally {
    countReach(actor)
  }
}

type Http = { req: IncomingMessage; headers: Record<string, string> }

async function execute(
  { caller, usage, traceId, params }: Request,
  progress: Progress,
  keyed: Http | undefined,
): Promise<ExecutionResult> {
  const { actor } = caller
  const operation = prepare(params, { traceId, caller, actor, usage, budget: new AnswerBudget() })
  if (operation.subscribes) throw needsStream()
  progress.cost = operation.cost
  progress.changes = !operation.reads
  if (operation.reads) return operation.execute()
  countFurther(caller, operation.mutations, keyed?.headers ?? {})
  const once = keyed && (await claimOnce(keyed.req, caller, params))
  progress.once = once
  if (!once || !keyed) return operation.execute()
  if ('run' in once) return once.run(() => operation.execute())
  keyed.headers['idempotent-replayed'] = 'true'
  return once.first as ExecutionResult
}

const needsStream = () =>
  new AppError('BAD_REQUEST', 'A subscription is answered by a stream: send Accept: text/event-stream.')

/**
 * Counts one request of a caller and of its app, and sets the X-RateLimit headers.
 * @throws AppError RATE_LIMITED
 */
export function countCaller(caller: Caller, headers: Record<string, string>): Usage {
  if (isApp(caller.actor)) countUse(caller.actor.clientId, 'requests')
  return countOnce(caller, headers)
}

/**
 * Counts the further mutations of one request. Each writes, sends email or calls other servers like a request of its own.
 * @param mutations how many the operation holds; the request itself has counted for one
 * @throws AppError RATE_LIMITED
 */
function countFurther(caller: Caller, mutations: number, headers: Record<string, string>): void {
  for (let counted = 1; counted < mutations; counted++) countOnce(caller, headers)
}

function countOnce({ actor, credential }: Caller, headers: Record<string, string>): Usage {
  const personId = credential.table === 'api_tokens' ? personOf(actor) : undefined
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
