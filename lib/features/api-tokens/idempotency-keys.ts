import { createHash, createHmac, randomUUID } from 'node:crypto'
import { graphqlLimits } from '@/lib/base/config/limits'
import { derivedKeys, seal, unseal } from '@/lib/base/credentials/seal'
import { deleteInBatches } from '@/lib/base/db/batches'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { withEventListener } from '@/lib/features/audit/record-event'

/** One attempt at a request with an Idempotency-Key. */
export type Run = { hash: Buffer; id: string }

/**
 * Runs `work` and attributes its changes to the attempt: the transaction of each change also records that the
 * attempt has changed something.
 * @throws AppError CONFLICT if the attempt no longer holds the key, for example because another attempt has
 * since claimed it. The error rolls back the change.
 */
export const inRun = <Result>(run: Run, work: () => Result): Result =>
  withEventListener(async (tx) => {
    const noted = await tx.$executeRaw`
      UPDATE keyed_requests SET changed_at = COALESCE(changed_at, now())
       WHERE hash = ${Uint8Array.from(run.hash)} AND run = ${run.id}::uuid`
    if (noted === 0)
      throw new AppError('CONFLICT', 'The request was canceled before it changed anything. Send it again.')
  }, work)

/** A request with an Idempotency-Key. */
export type KeyedRequest = {
  /**
   * The ID of the caller's credential (see `Caller`), such as an API token or an authorization. Different
   * credentials can use the same key for different requests.
   */
  credentialId: string
  key: string
  /** The request as text. A request that reuses the key with a different text is rejected. */
  asked: string
}

const keyed = ({ credentialId, key }: KeyedRequest): string => `${credentialId} ${key}`

/** Returns the hash that is the primary key of the request's row in `keyed_requests`. */
const hashOf = (request: KeyedRequest): Buffer => createHash('sha256').update(keyed(request)).digest()

/**
 * Returns the keys for the response to a request. The first key encrypts the response. The other keys are
 * derived from earlier values of SECRET_KEY and only decrypt. To decrypt the response, both SECRET_KEY and
 * the caller's Idempotency-Key are required.
 */
const keysOf = (request: KeyedRequest): Buffer[] =>
  derivedKeys('keyed-request').map((secret) => createHmac('sha256', secret).update(keyed(request)).digest())

const fingerprint = ({ asked }: KeyedRequest): string => createHash('sha256').update(asked).digest('hex')

/** Encrypts a response together with a fingerprint of its request. See ADR 0013. */
const sealAnswer = (request: KeyedRequest, answer: string): Buffer =>
  seal(fingerprint(request) + answer, keysOf(request))

/**
 * Decrypts the result of `sealAnswer`.
 * @returns the response and whether it belongs to this request, or undefined if SECRET_KEY changed and the
 * old key was not kept
 */
function openAnswer(request: KeyedRequest, sealed: Buffer): { answer: string; same: boolean } | undefined {
  const mine = fingerprint(request)
  try {
    const plain = unseal(sealed, keysOf(request))
    return { answer: plain.slice(mine.length), same: plain.startsWith(mine) }
  } catch {
    return undefined
  }
}

/** The number of hours that a key is remembered. */
export const keyHours = 24

/** The maximum number of keys that a credential can have at a time. */
export const maxKeys = 1_000

/**
 * The number of seconds between an attempt's timeout and the time when the attempt counts as abandoned. No
 * attempt can still run at that time.
 */
const graceSeconds = 60
const longestRunSeconds = graphqlLimits.timeoutMs / 1000 + graceSeconds

/**
 * Claims a key for one attempt. The key can be new, expired, or held by an abandoned attempt that changed
 * nothing. Returns no row if the key cannot be claimed, or if the key is new and the credential already has
 * the maximum number of keys.
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
 * Claims the key of a new request, or returns the stored response if the request was already processed.
 * @returns the attempt to pass to `inRun` and `settleRun`, or the stored response to repeat
 * @throws AppError BAD_REQUEST (the key was sent with another request), CONFLICT (an earlier request with the
 * key is still in progress, or its response is not available), RATE_LIMITED (too many keys)
 */
export async function claimKey(request: KeyedRequest): Promise<{ run: Run } | { answer: string }> {
  const run = { hash: hashOf(request), id: randomUUID() }
  const [claimed] = await claim(run.hash, request.credentialId, run.id, maxKeys, longestRunSeconds)
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
      `This Idempotency-Key was used with another request within the last ${keyHours} hours. Use a new key for each request.`,
    )
  }
  if (!changed && !sealed) {
    throw new AppError(
      'CONFLICT',
      'A request with this Idempotency-Key is still running. Try again shortly.',
      {
        retryAfter: 1,
      },
    )
  }
  throw new AppError(
    'CONFLICT',
    'The request with this Idempotency-Key made a change, but its response was lost. Check the result before you send the request with a new key.',
  )
}

const tooMany = () =>
  new AppError(
    'RATE_LIMITED',
    `A token can use up to ${maxKeys} Idempotency-Keys in ${keyHours} hours. Send this request later or without a key.`,
    { retryAfter: 3_600 },
  )

/** The time after which a cleanup run stops, in milliseconds. The next run deletes the remaining keys. */
const longestMs = 60_000

const over = {
  table: 'keyed_requests',
  key: 'hash',
  where: `created_at < now() - interval '${keyHours} hours'`,
}

/**
 * Deletes expired keys until none are left or `longestMs` has passed.
 * @returns how many keys were deleted
 */
export const forgetKeys = (): Promise<number> => deleteInBatches(over, performance.now() + longestMs)

/**
 * The maximum number of characters in a stored response. Longer responses are not stored. They are rare,
 * because the response to a mutation usually has only a few lines.
 */
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
 * Ends an attempt and stores its response for later requests with the same key. No response is stored if
 * `answer` is undefined or too long. In that case, the key is released for another attempt if this attempt
 * changed nothing. If this attempt changed something, later requests with the key are rejected until the key
 * expires. Logs errors instead of throwing them, because the caller already has the response. If the write
 * fails, later requests with the key are rejected until another attempt can claim the key.
 */
export async function settleRun(request: KeyedRequest, run: Run, answer: string | undefined): Promise<void> {
  try {
    if (answer === undefined || answer.length > longestAnswer) await free(run.hash, run.id)
    else await keep(run.hash, run.id, sealAnswer(request, answer))
  } catch (error) {
    log.warn('the answer to a request with an Idempotency-Key was not kept', { error })
  }
}
