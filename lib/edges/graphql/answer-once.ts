import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { AppError } from '@/lib/base/errors/app-error'
import { claimKey, inRun, settleRun } from '@/lib/features/keyed-requests/claim-key'
import { isApp } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'
import type { PresentedError } from './present-error'
import type { GraphQLParams } from './read-request'

/** What is answered to a keyed request, as it is kept. */
type KeptAnswer = { data?: unknown; errors?: PresentedError[] | undefined }

/** What a key makes of a mutation: the first answer again, or one attempt that is to be settled with its answer. */
export type Once =
  | { first: KeptAnswer }
  | {
      run: (execute: () => ExecutionResult | Promise<ExecutionResult>) => ReturnType<typeof execute>
      settle: (answer: KeptAnswer) => Promise<void>
    }

/**
 * Reads the header Idempotency-Key of a mutation (draft-ietf-httpapi-idempotency-key-header) and takes the key. The answer
 * to the first request with it is kept for a day; see decision 169.
 * @returns undefined without the header
 * @throws AppError BAD_REQUEST for a malformed header, and as `claimKey`
 */
export async function claimOnce(
  req: IncomingMessage,
  { actor, credential }: Caller,
  params: GraphQLParams,
): Promise<Once | undefined> {
  const key = keyOf(req)
  if (key === undefined) return undefined
  const scopes = isApp(actor) ? [...actor.scopes].sort() : []
  const request = { credentialId: credential.id, key, asked: textOf({ ...params, scopes }) }
  const claimed = await claimKey(request)
  if ('answer' in claimed) return { first: JSON.parse(claimed.answer) as KeptAnswer }
  return {
    run: (execute) => inRun(claimed.run, execute),
    settle: ({ data, errors }) =>
      settleRun(request, claimed.run, wasDone(data) ? JSON.stringify({ data, errors }) : undefined),
  }
}

/** Whether a mutation did something, as far as its answer tells. */
export const wasDone = (data: unknown): boolean => Object.values(data ?? {}).some((each) => each !== null)

/** A text in quotes, as a structured field has it (RFC 9651 section 3.3.3), or bare, as many clients send it. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]{1,255}$/

function keyOf(req: IncomingMessage): string | undefined {
  const header = req.headers['idempotency-key']
  if (header === undefined) return undefined
  const text = String(header).trim()
  const key = quoted.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? bare.exec(text)?.[0]
  if (key !== undefined) return key
  throw new AppError(
    'BAD_REQUEST',
    'Idempotency-Key must be one text of 1 to 255 visible characters, such as a UUID in quotes.',
  )
}

/** The same text for the same request, in whatever order its variables stand. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
