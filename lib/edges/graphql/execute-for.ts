import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { readFromReplicas } from '@/lib/base/db/replicas/read-scope'
import { AppError } from '@/lib/base/errors/app-error'
import { countReach } from '@/lib/features/apps/activity/count-use'
import type { Usage } from '@/lib/features/figures/count-request'
import type { Caller } from '@/lib/policy/bearer'
import { claimOnce, type Once } from './answer-once'
import { announceReading, openApprovals } from './approvals'
import { countFurther } from './count-caller'
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
 * Executes an operation for a caller: a query from a replica where one may answer, a mutation once for its Idempotency-Key.
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
  const operation = () => prepare(params, { traceId, caller, actor, usage, budget: new AnswerBudget() })
  const first = operation()
  if (first.subscribes) throw needsStream()
  progress.cost = first.cost
  progress.changes = !first.reads
  if (!first.reads) {
    countFurther(caller, first.mutations, keyed?.headers ?? {})
    const once = keyed && (await claimOnce(keyed.req, caller, params))
    progress.once = once
    if (!once || !keyed) return first.execute()
    if ('run' in once) return once.run(() => first.execute())
    keyed.headers['idempotent-replayed'] = 'true'
    return once.first as ExecutionResult
  }
  const { result, fromReplica } = await readFromReplicas(async () => first.execute())
  // What a replica refuses may have been allowed a moment ago.
  return fromReplica && isRefused(result) ? operation().execute() : result
}

const needsStream = () =>
  new AppError('BAD_REQUEST', 'A subscription is answered by a stream: send Accept: text/event-stream.')

/** Whether an answer lacks something, for another reason than what it would come to. */
const isRefused = ({ errors = [] }: ExecutionResult): boolean =>
  errors.length > 0 &&
  errors.every(
    ({ originalError }) => (originalError as { code?: unknown } | undefined)?.code !== 'QUERY_TOO_COMPLEX',
  )
