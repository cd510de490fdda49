import { config } from '@/lib/base/config/env'
import { type ErrorDetails, isAppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'

/** The page where a person answers. */
export const askUrl = (id: string): string => `${config().BASE_URL}/asks/${id}`

/**
 * What is said where a question could not be opened: who asked too often is told when they may again. It never fails, as what else
 * of the operation was done is told all the same: secrets that were made are shown this once.
 */
export function laterAlone(error: unknown): Pick<ErrorDetails, 'retryAfter'> {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return { retryAfter: error.details.retryAfter ?? 0 }
  log.error('a question could not be opened', { error })
  return {}
}
