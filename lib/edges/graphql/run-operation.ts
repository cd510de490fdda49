import type { IncomingMessage } from 'node:http'
import type { Usage } from '@/lib/features/figures/count-request'
import { isApp } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import { executeFor, type Progress } from './execute-for'
import { type Presented, presentAnswer } from './present-answer'
import { paramsFrom } from './read-request'

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
