import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { type GraphQLLimits, graphqlLimits } from '@/lib/base/config/limits'
import { AppError } from '@/lib/base/errors/app-error'
import { isBrowserVisit, writeRedirect } from '@/lib/base/http/origin'
import { inRequest, newRequestId, requestId } from '@/lib/base/log/request-scope'
import { isApp } from '@/lib/policy/actor'
import { addressOf, authenticate, challenge, type Stranger } from './authenticate'
import { countCaller, executeFor, type Progress } from './execute-for'
import { AnswerBudget } from './limits/answer-budget'
import { limitStranger } from './limits/limit-queries'
import { isSubscription, prepare } from './pipeline'
import { presentAnswer } from './present-answer'
import { streamOperation } from './stream-operation'
import { type GraphQLParams, readRequest, takesStream, writePreflight, writeResponse } from './transport'

/**
 * POST /graphql/v2 (docs/api/contract.md, section 2; ADR 0015), for Node's HTTP server. Every answer is JSON with a
 * `traceId`, the name of the request: 400 for a request that is malformed or does not fit the schema, 429 past the rate limit, 503 while the
 * database is away (unless some of a mutation is done by then), otherwise 200.
 */
export async function handleGraphQL(
  req: IncomingMessage,
  res: ServerResponse,
  limits: GraphQLLimits = graphqlLimits,
): Promise<void> {
  if (req.method === 'OPTIONS') return writePreflight(req, res)
  if (isBrowserVisit(req)) return writeRedirect(res, '/graphql/explorer')
  const traceId = requestId()
  if (traceId === undefined) return inRequest(newRequestId(), () => handleGraphQL(req, res, limits))
  const headers: Record<string, string> = {}
  const progress: Progress = {}
  const presented = await presentAnswer(traceId, progress, headers, () => {
    if (req.method === 'POST') return answer({ req, res }, traceId, headers, progress, limits)
    headers.allow = 'POST, OPTIONS'
    throw new AppError('BAD_REQUEST', 'Send the operation with POST.')
  })
  if (res.headersSent) return
  const { data, errors } = presented
  const status = 'allow' in headers ? 405 : presented.status
  const { cost } = progress
  writeResponse(req, res, status, { data, errors, extensions: { traceId, cost } }, headers)
}

/** The steps of a request, in order; each may end it by throwing. */
async function answer(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  traceId: string,
  headers: Record<string, string>,
  progress: Progress,
  limits: GraphQLLimits,
): Promise<ExecutionResult> {
  const params = await readRequest(req)
  const caller = await authenticate(req)
  if (!('actor' in caller)) return answerStranger(req, params, caller, headers, traceId, limits)
  if (isApp(caller.actor)) progress.app = caller.actor.clientId
  const usage = countCaller(caller, headers)
  const request = { caller, usage, traceId, params, limits }
  // Many clients take a stream with every request.
  if (takesStream(req) && isSubscription(params)) {
    await streamOperation({ req, res }, request, progress, headers)
    return {}
  }
  return executeFor(request, progress, { req, headers })
}

/** The schema is for everyone; what else a stranger asks is refused, and a dead token is before anything is looked at. */
async function answerStranger(
  req: IncomingMessage,
  params: GraphQLParams,
  stranger: Stranger,
  headers: Record<string, string>,
  traceId: string,
  limits: GraphQLLimits,
): Promise<ExecutionResult> {
  if (stranger.sentToken) throw unauthenticated(stranger, headers)
  await limitStranger(addressOf(req), limits.anonymousPerMinute)
  const operation = prepare(params, { traceId, budget: new AnswerBudget(limits) })
  if (!operation.introspection) throw unauthenticated(stranger, headers)
  return operation.execute()
}

function unauthenticated(stranger: Stranger, headers: Record<string, string>): AppError {
  headers['www-authenticate'] = challenge(stranger)
  return new AppError(
    'UNAUTHENTICATED',
    stranger.sentToken
      ? 'The token is unknown, expired, or revoked.'
      : 'Send an access token or an API token.',
  )
}
