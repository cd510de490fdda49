import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { config } from '@/lib/base/config/env'
import { graphqlLimits } from '@/lib/base/config/limits'
import { AppError } from '@/lib/base/errors/app-error'
import { isShuttingDown, onShutdownBegun } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { limitsReached } from '@/lib/base/telemetry/metrics'
import { tokensWorth } from '@/lib/features/figures/count-usage'
import type { Caller } from '@/lib/policy/bearer'
import { callerAgain } from './authenticate'
import type { GraphQLContext } from './context'
import { announceReading, countCaller, type Progress, type Request } from './execute-for'
import { AnswerBudget } from './limits/answer-budget'
import { type Operation, prepare } from './pipeline'
import { presentAnswer } from './present-answer'
import { writeStreamHead } from './transport'

/** How often something is sent where nothing happens, so that nobody between takes the connection for dead, in milliseconds. */
const pulseMs = 15_000

/**
 * Answers a subscription by server-sent events, as "GraphQL over Server-Sent Events" has it in its distinct connections mode: each
 * answer is an event `next`, and `complete` says that there will be no more. A stream that ends without it broke off, at the
 * end of this process say, and is to be asked for again. What is said of a request before anything is streamed is JSON, as for
 * every other operation.
 * See ADR 0018.
 * @param request a subscription, as `isSubscription` tells
 * @throws AppError as `openStream`, and as `prepare`
 */
export async function streamOperation(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { caller, usage, traceId, params, limits = graphqlLimits }: Request,
  progress: Progress,
  headers: Record<string, string>,
): Promise<void> {
  const over = new AbortController()
  const live = { ended: over.signal, caller: () => stillThere(req, caller) }
  const context = (who: Caller): GraphQLContext => {
    announceReading(who.actor)
    return { traceId, usage, live, caller: who, actor: who.actor, budget: new AnswerBudget(limits) }
  }
  const operation = prepare(params, context(caller))
  progress.cost = operation.cost
  const close = openStream(caller, limits.subscriptions)
  const forget = onShutdownBegun(() => over.abort())
  res.once('close', () => over.abort())
  const pulse = setInterval(() => res.write(':\n\n'), pulseMs)
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
    // That it is open; proxies and clients wait for the first byte of a body.
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

/** Executes the operation for each row as it comes, and tells why no more come. */
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

/** Who asks, as the token says now. @throws AppError UNAUTHENTICATED when it is dead */
async function stillThere(req: IncomingMessage, caller: Caller): Promise<Caller> {
  const now = await callerAgain(req, caller)
  if (!now) throw new AppError('UNAUTHENTICATED', 'The token is unknown, expired, or revoked.')
  announceReading(now.actor)
  return now
}

/** How many streams are open in this process, by the credential or the person they are counted for. */
const open = () => remember('open-streams', () => new Map<string, number>())

/**
 * Counts a stream, until it is closed. All tokens of one person together have a few times as many as one.
 * @param most streams that one token may have open
 * @returns closes it
 * @throws AppError RATE_LIMITED where there are as many as there may be; SERVICE_UNAVAILABLE from a process that is about to
 *   end; BAD_REQUEST where the platform lets no process wait
 */
function openStream({ credential, person }: Caller, most: number): () => void {
  if (config().functions) {
    throw new AppError('BAD_REQUEST', 'This instance does not support subscriptions. Query the list instead.')
  }
  if (isShuttingDown()) throw new AppError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 1 })
  const counted = [{ id: credential.id, most, who: 'This token' }]
  if (person && credential.table === 'api_tokens') {
    counted.push({ id: person.id, most: most * tokensWorth, who: 'All your tokens together' })
  }
  for (const { id, most, who } of counted) {
    if ((open().get(id) ?? 0) < most) continue
    limitsReached.add({ limit: 'graphql-subscriptions' })
    throw new AppError('RATE_LIMITED', `${who} can have ${most} open subscriptions. Close one first.`, {
      retryAfter: 5,
    })
  }
  for (const { id } of counted) open().set(id, (open().get(id) ?? 0) + 1)
  return () => {
    for (const { id } of counted) {
      const left = (open().get(id) ?? 1) - 1
      if (left > 0) open().set(id, left)
      else open().delete(id)
    }
  }
}
