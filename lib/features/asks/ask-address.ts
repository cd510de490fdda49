import { config } from '@/lib/base/config/env'
import { type ErrorDetails, isAppError } from '@/lib/base/errors/app-error'

/** The page where a person answers. */
export const askUrl = (id: string): string => `${config().BASE_URL}/asks/${id}`

/** Who asked too often is told when they may again; what else of the operation was done is told all the same. */
export function laterAlone(error: unknown): Pick<ErrorDetails, 'retryAfter'> {
  if (isAppError(error) && error.code === 'RATE_LIMITED') return { retryAfter: error.details.retryAfter ?? 0 }
  throw error
}
