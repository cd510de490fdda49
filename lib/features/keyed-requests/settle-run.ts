import { statement } from '@/lib/base/db/statement'
import { log } from '@/lib/base/log/log'
import type { Run } from './runs'
import { type KeyedRequest, sealAnswer } from './sealed-answer'

/** An answer to creations is a few lines; what is longer is not kept. */
const longestAnswer = 64 * 1024

const keep = statement<Record<string, never>, [Buffer, string, Buffer]>(
  'keyed-request-keep',
  'UPDATE keyed_requests SET sealed_answer = $3 WHERE hash = $1 AND run = $2::uuid',
)

const free = statement<Record<string, never>, [Buffer, string]>(
  'keyed-request-free',
  'DELETE FROM keyed_requests WHERE hash = $1 AND run = $2::uuid AND changed_at IS NULL',
)

/**
 * Ends an attempt. With an answer, that is what the key answers from here on; without, nothing was done as far as anybody
 * knows, and the key is free for another attempt unless something was changed after all.
 * Never fails: the caller has its answer, and a key that could not be settled says so when it is sent again.
 */
export async function settleRun(request: KeyedRequest, run: Run, answer: string | undefined): Promise<void> {
  try {
    if (answer === undefined) await free(run.hash, run.id)
    else if (answer.length <= longestAnswer) await keep(run.hash, run.id, sealAnswer(request, answer))
  } catch (error) {
    log.warn('the answer to a request with an Idempotency-Key was not kept', { error })
  }
}
