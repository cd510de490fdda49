import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { config } from '@/lib/base/config/env'
import { graphqlLimits } from '@/lib/base/config/limits'
import { AppError } from '@/lib/base/errors/app-error'
import { isShuttingDown, onShutdownBegun } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { tokensPerUserLimit } from '@/lib/features/figures/count-usage'
import type { Caller } from '@/lib/policy/bearer'
import { reloadCaller } from './authenticate'
import type { GraphQLContext } from './context'
import { countCaller, markAsRead, type Progress, type Request } from './execute-for'
import { AnswerBudget } from './limits/answer-budget'
import { type Operation, prepare } from './pipeline'
import { presentAnswer } from './present-answer'
import { writeStreamHead } from './transport'

/**
 * The interval of keep-alive messages, in milliseconds. The messages prevent proxies from closing the
 * connection.
 */
const keepAliveMs = 15_000

/**
 * Answers a subscription with server-sent events, in the distinct connections mode of "GraphQL over
 * Server-Sent Events". Each result is a `next` event, and `complete` ends the stream. If a stream ends
 * without `complete`, it was interrupted, and the client can reconnect. Errors before the stream starts are
 * JSON, as for other operations. See ADR 0014.
 * @param request a subscription, according to `isSubscription`
 * @throws the errors of `openStream` and `prepare`
 */
export async function streamOperation(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { caller, usage, traceId, params, limits = graphqlLimits }: Request,
  progress: Progress,
  headers: Record<string, string>,
): Promise<void> {
  const over = new AbortController()
  const live = { ended: over.signal, caller: () => requireCaller(req, caller) }
  const context = (who: Caller): GraphQLContext => {
    markAsRead(who.actor)
    return { traceId, usage, live, caller: who, actor: who.actor, budget: new AnswerBudget(limits) }
  }
  const operation = prepare(params, context(caller))
  progress.cost = operation.cost
  const close = openStream(caller, limits.subscriptions)
  const forget = onShutdownBegun(() => over.abort())
  res.once('close', () => over.abort())
  const pulse = setInterval(() => res.write(':\n\n'), keepAliveMs)
  try {
    writeStreamHead(res, traceId, headers)
    const send = async (name: 'next' | 'complete', data: object | undefined) => {
      const text = data ? JSON.stringify(data) : ''
      if (!res.write(`event: ${name}\ndata: ${text}\n\n`)) await once(res, 'drain', { signal: over.signal })
    }
    const answer = async (work: () => Promise<ExecutionResult>) => {
      const { data, errors } = await presentAnswer(traceId, progress, {}, work)
      await send('next', { data, errors, extensions: { traceId } })
    }
    // Send an empty comment as soon as the subscription has started, because proxies and clients wait for the
    // first byte of the body.
    await relay(operation, { context, live, answer, begun: () => res.write(':\n\n') })
    if (!over.signal.aborted) await send('complete', undefined)
  } catch (error) {
    if (!over.signal.aborted) throw error
  } finally {
    clearInterval(pulse)
    forget()
    close()
    res.end()
  }
}

type Relaying = {
  context: (who: Caller) => GraphQLContext
  live: NonNullable<GraphQLContext['live']>
  answer: (work: () => Promise<ExecutionResult>) => Promise<void>
  begun: () => void
}

/**
 * Starts the subscription, executes the operation for each row that arrives, and counts each execution as a
 * request. If the subscription cannot start or an error ends it, sends the error. Returns when the
 * subscription has ended.
 */
async function relay(operation: Operation, { context, live, answer, begun }: Relaying): Promise<void> {
  const source = await operation.subscribe()
  if (!(Symbol.asyncIterator in source)) return answer(async () => source)
  begun()
  try {
    for await (const row of source) {
      const who = await live.caller()
      countCaller(who, {})
      if (live.ended.aborted) return
      await answer(async () => operation.executeFor(row, context(who)))
    }
  } catch (error) {
    if (live.ended.aborted) return
    await answer(() => Promise.reject(error))
  }
}

/**
 * Loads the current caller and marks the caller's operation as a read.
 * @throws AppError UNAUTHENTICATED if the token is no longer valid, or TWO_FACTOR_REQUIRED
 */
async function requireCaller(req: IncomingMessage, caller: Caller): Promise<Caller> {
  const now = await reloadCaller(req, caller)
  if (!now)
    throw new AppError('UNAUTHENTICATED', 'The token is unknown, expired, or revoked. Send a valid token.')
  markAsRead(now.actor)
  return now
}

/** Returns the numbers of open streams in this process by the ID of the credential or user. */
const openStreams = () => remember('open-streams', () => new Map<string, number>())

/**
 * Counts a stream until it is closed. All API tokens of a user together can have several times as many
 * streams as a single token.
 * @param most the maximum number of open streams per token in this process
 * @returns a function to call when the stream is closed
 * @throws AppError RATE_LIMITED if a limit is reached, SERVICE_UNAVAILABLE if the process is about to exit,
 *   or BAD_REQUEST if the platform does not support long-running requests
 */
function openStream({ credential, user }: Caller, most: number): () => void {
  if (config().functions) {
    throw new AppError(
      'BAD_REQUEST',
      'This instance doesn’t support subscriptions. Poll with a query instead.',
    )
  }
  if (isShuttingDown()) throw new AppError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 1 })
  const counted = [{ id: credential.id, most, who: 'This token' }]
  if (user && credential.table === 'api_tokens') {
    counted.push({ id: user.id, most: most * tokensPerUserLimit, who: 'Your tokens together' })
  }
  for (const { id, most, who } of counted) {
    if ((openStreams().get(id) ?? 0) < most) continue
    limitsReached.add({ limit: 'graphql-subscriptions' })
    throw new AppError('RATE_LIMITED', `${who} can have up to ${most} open subscriptions. Close one first.`, {
      retryAfter: 5,
    })
  }
  for (const { id } of counted) openStreams().set(id, (openStreams().get(id) ?? 0) + 1)
  return () => {
    for (const { id } of counted) {
      const left = (openStreams().get(id) ?? 1) - 1
      if (left > 0) openStreams().set(id, left)
      else openStreams().delete(id)
    }
  }
}
