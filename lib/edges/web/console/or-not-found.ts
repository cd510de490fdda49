import { notFound } from 'next/navigation'
import { isMissingRow } from '@/lib/base/db/database-errors'
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
    if (isMissingRow(error)) notFound()
    throw error
  }
}

/** What a page lists, or the sentence that says what is wrong with the address it was asked for by. */
export type OrSentence<T> = { found: T; sentence?: never } | { found?: never; sentence: string }

/**
 * Waits for a list that an address narrows, on behalf of a page: an address is typed and shared, and may ask for what cannot be. The page
 * says so, as the API does (BAD_USER_INPUT), and is no error.
 */
export async function orSentence<T>(call: Promise<T>): Promise<OrSentence<T>> {
  try {
    return { found: await call }
  } catch (error) {
    if (isAppError(error) && error.code === 'BAD_USER_INPUT') return { sentence: error.message }
    throw error
  }
}
