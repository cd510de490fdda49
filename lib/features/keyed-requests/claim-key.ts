import { randomUUID } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import { statement } from '@/lib/base/db/statement'
import { AppError } from '@/lib/base/errors/app-error'
import type { Run } from './runs'
import { hashOf, type KeyedRequest, openAnswer } from './sealed-answer'

/** So long a key is remembered. */
export const keyHours = 24

/** Keys of one credential that are remembered at a time. */
export const maxKeys = 1_000

/** An attempt of which nothing was heard for so long after its time was over is dead: its process ended. */
const graceSeconds = 60

/**
 * Takes the key for one attempt: a new key, one whose day is over, or one whose attempt died before it had changed anything.
 */
const claim = statement<{ hash: Buffer }, [Buffer, string, string, number, number]>(
  'keyed-request-claim',
  `INSERT INTO keyed_requests AS k (hash, credential_id, run)
   SELECT $1, $2::uuid, $3::uuid
    WHERE (SELECT count(*) FROM keyed_requests WHERE credential_id = $2::uuid) < $4
       OR EXISTS (SELECT FROM keyed_requests WHERE hash = $1)
   ON CONFLICT (hash) DO UPDATE
      SET run = EXCLUDED.run, started_at = now(), created_at = now(), changed_at = NULL, sealed_answer = NULL
    WHERE k.created_at < now() - interval '${keyHours} hours'
       OR (k.changed_at IS NULL AND k.sealed_answer IS NULL AND k.started_at < now() - make_interval(secs => $5))
   RETURNING hash`,
)

type Known = { changed: boolean; sealed: Buffer | null }

const find = statement<Known, [Buffer]>(
  'keyed-request-find',
  'SELECT changed_at IS NOT NULL AS changed, sealed_answer AS sealed FROM keyed_requests WHERE hash = $1',
)

/**
 * Says what a request with a key may do: be carried out, or have the answer of the first one.
 * @returns the attempt, for `inRun` and `settleRun`; or the answer as it was given to `settleRun`
 * @throws AppError BAD_REQUEST (the key was sent with another request), CONFLICT (the first request is still being carried
 *   out, or its answer is not there), RATE_LIMITED (too many keys)
 */
export async function claimKey(request: KeyedRequest): Promise<{ run: Run } | { answer: string }> {
  const run = { hash: hashOf(request), id: randomUUID() }
  const longestRun = config().GRAPHQL_TIMEOUT_MS / 1000 + graceSeconds
  const [claimed] = await claim(run.hash, request.credentialId, run.id, maxKeys, longestRun)
  if (claimed) return { run }
  const [known] = await find(run.hash)
  if (!known) throw tooMany()
  return { answer: answerOf(request, known) }
}

function answerOf(request: KeyedRequest, { changed, sealed }: Known): string {
  const opened = sealed ? openAnswer(request, sealed) : undefined
  if (opened?.same) return opened.answer
  if (opened) {
    throw new AppError(
      'BAD_REQUEST',
      `This Idempotency-Key was sent with another request within the last ${keyHours} hours. Make a new key for each request.`,
    )
  }
  if (!changed && !sealed) {
    throw new AppError('CONFLICT', 'A request with this Idempotency-Key is still being carried out.', {
      retryAfter: 1,
    })
  }
  throw new AppError(
    'CONFLICT',
    'The request with this Idempotency-Key has changed something, but its answer is not there. See what there is before you send it with a new key.',
  )
}

const tooMany = () =>
  new AppError(
    'RATE_LIMITED',
    `A token may send ${maxKeys} different Idempotency-Keys in ${keyHours} hours. Send this request later, or without a key.`,
    { retryAfter: 3_600 },
  )
