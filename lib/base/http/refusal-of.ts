import { isGoneMeanwhile } from '@/lib/base/db/gone-meanwhile'
import { outageOf } from '@/lib/base/db/is-outage'
import { AppError, isAppError } from '@/lib/base/errors/app-error'
import { refusals } from '@/lib/base/telemetry/metrics'

/**
 * What a person is to be told of an error: what the domain refused, that what they changed was deleted while they did, or
 * that the database is away.
 * @throws the error itself when it is none of these, because then it is a defect
 */
export function refusalOf(error: unknown): AppError {
  const refusal = refusalIn(error)
  refusals.add({ edge: 'web', code: refusal.code })
  return refusal
}

function refusalIn(error: unknown): AppError {
  if (isAppError(error)) return error
  if (isGoneMeanwhile(error)) {
    return new AppError(
      'NOT_FOUND',
      'This was deleted while you were changing it. Reload the page to see what is there now.',
    )
  }
  const outage = outageOf(error, 'form')
  if (outage) return outage
  throw error
}
