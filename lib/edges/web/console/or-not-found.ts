import { notFound } from 'next/navigation'
import { isGoneMeanwhile } from '@/lib/base/db/gone-meanwhile'
import { isAppError } from '@/lib/base/errors/app-error'

/**
 * Waits for a domain call on behalf of a page. What the person may not know of and what their role does not allow look
 * the same: a page that is not there.
 */
export async function orNotFound<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isAppError(error) && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) notFound()
    if (isGoneMeanwhile(error)) notFound()
    throw error
  }
}
