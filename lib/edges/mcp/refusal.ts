import { outageOf } from '@/lib/base/db/is-outage'
import { type AppError, isAppError } from '@/lib/base/errors/app-error'
import { type ErrorCode, errorCodes } from '@/lib/base/errors/codes'
import { BodyTooLong } from '@/lib/base/http/body'
import { log } from '@/lib/base/log/log'
import { refusals } from '@/lib/base/telemetry/metrics'
import type { Actor } from '@/lib/policy/actor'
import { insufficientScope } from './challenge'
import type { ApiAnswer } from './tools/api'

/** Why a request is refused as a whole, for clients that decide by the status. */
export type Refusal = {
  status: number
  code: ErrorCode
  /** The code of JSON-RPC 2.0 section 5.1; most refusals have none of their own. */
  rpcCode: number
  message: string
  headers: Record<string, string>
}

type Words = Partial<Omit<Refusal, 'code'>>

/** A refusal in the words of the one table, counted. */
export function refusal(code: ErrorCode, words: Words = {}): Refusal {
  refusals.add({ edge: 'mcp', code })
  return inWords(code, words)
}

const inWords = (code: ErrorCode, { status, rpcCode = -32_000, message, headers = {} }: Words): Refusal => ({
  status: status ?? errorCodes[code].http,
  code,
  rpcCode,
  message: message ?? errorCodes[code].message,
  headers,
})

/** What is answered for an error that ended a request; a defect of ours is logged, and not told. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof BodyTooLong)
    return refusal('BAD_REQUEST', { status: 413, message: 'The message is too long.' })
  const told: AppError | undefined = isAppError(error) ? error : outageOf(error, 'mcp')
  if (told) return refusal(told.code, { message: told.message, headers: retryAfter(told.details.retryAfter) })
  log.error('an MCP request failed', { error })
  return refusal('INTERNAL_SERVER_ERROR')
}

/**
 * Returns what the API refused, and counted, in place of the protocol's result: clients step up, or wait, by the status alone.
 * @param actor whose token was refused
 */
export function refusalByApi({ errors = [], status }: ApiAnswer, actor: Actor): Refusal {
  const allLacking = errors.filter(({ extensions }) => extensions.code === 'INSUFFICIENT_SCOPE')
  const [lacking] = allLacking
  const { message, extensions } = lacking ?? errors[0] ?? { message: undefined, extensions: {} as never }
  const headers = retryAfter(extensions.retryAfter)
  if (lacking) {
    const missing = new Set(allLacking.map((error) => String(error.extensions.requiredScope)))
    headers['www-authenticate'] = insufficientScope(actor, [...missing])
  }
  return inWords((extensions.code ?? 'SERVICE_UNAVAILABLE') as ErrorCode, {
    status: lacking ? 403 : status,
    ...(message ? { message } : {}),
    headers,
  })
}

const retryAfter = (seconds: unknown): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }
