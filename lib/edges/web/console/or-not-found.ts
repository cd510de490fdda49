import { notFound } from 'next/navigation'
import { isMissingRow } from '@/lib/base/db/database-errors'
import { isAppError } from '@/lib/base/errors/app-error'
import { notedRefusal } from '../forms/submit-form'

/**
 * Returns the result of a domain call. If the call fails with NOT_FOUND, FORBIDDEN, or a missing row, shows
 * the 404 page. All three errors look the same, so that they do not reveal whether the object exists.
 * @throws all other errors of the call
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

/**
 * Returns the object of a page like `orNotFound`, unless this request contains a form that was rejected.
 * After such a form, returns undefined for NOT_FOUND, so that the page can show the form's error instead of a
 * 404 page.
 * @throws all other errors of the call after a rejected form
 */
export async function orRefused<T>(call: Promise<T>): Promise<T | undefined> {
  if (!(await notedRefusal())) return orNotFound(call)
  return call.catch((error) => {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined
    throw error
  })
}

/** The list to show on a page, or an error message about the parameters in the page's URL. */
export type OrSentence<T> = { found: T; sentence?: never } | { found?: never; sentence: string }

/**
 * Returns a list that is filtered by URL parameters. Users type and share URLs, so if a parameter is invalid
 * (BAD_USER_INPUT), this function returns a message for the page instead of throwing.
 * @throws all other errors of the call
 */
export async function orSentence<T>(call: Promise<T>): Promise<OrSentence<T>> {
  try {
    return { found: await call }
  } catch (error) {
    if (isAppError(error) && error.code === 'BAD_USER_INPUT') return { sentence: error.message }
    throw error
  }
}
