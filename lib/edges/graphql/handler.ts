import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { type GraphQLLimits, graphqlLimits } from '@/lib/base/config/limits'
import { AppError } from '@/lib/base/errors/app-error'
import { requestAddress } from '@/lib/base/http/client-address'
import { isBrowserVisit, writeRedirect } from '@/lib/base/http/origin'
import { inRequest, newRequestId, requestId } from '@/lib/base/log/request-scope'
import { isApp } from '@/lib/policy/actor'
import { authenticate, challenge, type Unauthenticated } from './authenticate'
import { countCaller, executeFor, type Progress } from './execute-for'
import { AnswerBudget } from './limits/answer-budget'
import { limitUnauthenticated } from './limits/limit-queries'
import { isSubscription, prepare } from './pipeline'
import { presentAnswer } from './present-answer'
import { streamOperation } from './stream-operation'
import { acceptsStream, type GraphQLParams, readRequest, writePreflight, writeResponse } from './transport'

/**
 * Handles /graphql/v2 (docs/api/contract.md, section 2; ADR 0012) on Node's HTTP server. Answers CORS
 * preflight requests, and redirects users who open the URL in a browser to the API explorer. Responses to
 * operations are JSON with a `traceId`, or a stream for a subscription. A JSON response has one of these
 * status codes:
 * - 400 if the request is malformed, reuses an idempotency key for a different operation, does not match the
 *   schema, or exceeds a limit before it is executed
 * - 405 for an unsupported method
 * - 429 if a rate limit is exceeded before the operation is executed
 * - 503 if the database is unavailable, unless a mutation changed something or was interrupted
 * - 200 in all other cases, even if the response contains errors
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
    throw new AppError(
      'BAD_REQUEST',
      'This endpoint accepts only POST. Send the operation in a POST request.',
    )
  })
  if (res.headersSent) return
  const { data, errors } = presented
  const status = 'allow' in headers ? 405 : presented.status
  const { cost } = progress
  writeResponse(req, res, status, { data, errors, extensions: { traceId, cost } }, headers)
}

/**
 * Reads the operation from a POST request, authenticates and counts the request, and executes the operation.
 * Sends the stream of a subscription.
 * @returns the result, or an empty object if a stream was sent
 * @throws an error from any of these steps, which ends the request
 */
async function answer(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  traceId: string,
  headers: Record<string, string>,
  progress: Progress,
  limits: GraphQLLimits,
): Promise<ExecutionResult> {
  const params = await readRequest(req)
  const caller = await authenticate(req)
  if (!('actor' in caller)) return answerUnauthenticated(req, params, caller, headers, traceId, limits)
  if (isApp(caller.actor)) progress.app = caller.actor.clientId
  const usage = countCaller(caller, headers)
  const request = { caller, usage, traceId, params, limits }
  // Also check that the operation is a subscription, because many clients send an Accept header for streams
  // with every request.
  if (acceptsStream(req) && isSubscription(params)) {
    await streamOperation({ req, res }, request, progress, headers)
    return {}
  }
  return executeFor(request, progress, { req, headers })
}

/**
 * Answers a request without a valid token. Rejects a request with an invalid token. Counts a request without
 * a token against the limit of its IP address, and executes the operation only if it is an introspection
 * query.
 * @throws AppError UNAUTHENTICATED for an invalid token or another operation, RATE_LIMITED if the limit is
 *   reached, or the errors of `prepare`
 */
async function answerUnauthenticated(
  req: IncomingMessage,
  params: GraphQLParams,
  stranger: Unauthenticated,
  headers: Record<string, string>,
  traceId: string,
  limits: GraphQLLimits,
): Promise<ExecutionResult> {
  if (stranger.sentToken) throw unauthenticated(stranger, headers)
  await limitUnauthenticated(requestAddress(req), limits.anonymousPerMinute)
  const operation = prepare(params, { traceId, budget: new AnswerBudget(limits) })
  if (!operation.introspection) throw unauthenticated(stranger, headers)
  return operation.execute()
}

function unauthenticated(stranger: Unauthenticated, headers: Record<string, string>): AppError {
  headers['www-authenticate'] = challenge(stranger)
  return new AppError(
    'UNAUTHENTICATED',
    stranger.sentToken
      ? 'The token is unknown, expired, or revoked. Send a valid token.'
      : 'This request requires authentication. Send an access token or an API token.',
  )
}
