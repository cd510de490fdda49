import type { Usage } from '@/lib/features/request-counts/count-request'
import { isApp } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import { executeFor, type Progress } from './execute-for'
import { type Presented, presentAnswer } from './present-answer'
import { paramsFrom } from './read-request'

/**
 * Executes an operation for another edge, whose request was authenticated and counted there: what is answered is what
 * POST /graphql/v2 answers. Never rejects.
 */
export async function runOperation(
  { caller, usage, traceId }: { caller: Caller; usage: Usage; traceId: string },
  operation: { query: string; variables?: Record<string, unknown> },
): Promise<Presented> {
  const progress: Progress = isApp(caller.actor) ? { app: caller.actor.clientId } : {}
  return presentAnswer(traceId, progress, {}, async () =>
    executeFor({ caller, usage, traceId, params: paramsFrom(operation) }, progress),
  )
}
