import {
  cursorOf,
  type NumberedPage,
  type Page,
  parsePage,
  parseTextPage,
  type TextPage,
} from '@/lib/base/db/paging'
import { isAppError } from '@/lib/base/errors/app-error'

export type SearchParams = Record<string, string | string[] | undefined>

const size = 25

/**
 * Returns the first value of a parameter, or an empty string if there is none. Removes NUL characters,
 * because PostgreSQL rejects text that contains them.
 */
export const textOf = (query: SearchParams, name: string): string =>
  ([query[name]].flat()[0] ?? '').replaceAll('\0', '')

/** Returns the value of a parameter if it is one of the given values, and undefined otherwise. */
export const oneOf = <Choice extends string>(
  query: SearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === textOf(query, name))

/**
 * Returns a parameter's UTC day: its text, its start, and its exclusive end. Returns undefined if the
 * parameter is not a day in the form YYYY-MM-DD from the 21st century.
 */
export function dayOf(
  query: SearchParams,
  name: string,
): { text: string; begins: Date; ends: Date } | undefined {
  const text = textOf(query, name)
  const begins = new Date(/^20\d\d-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : Number.NaN)
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(begins.getTime()) || begins.toISOString().slice(0, 10) !== text) return undefined
  return { text, begins, ends: new Date(begins.getTime() + 86_400_000) }
}

/** Returns a path with query parameters. Empty parameters are omitted. */
export function addressOf(path: string, parameters: Record<string, string | undefined>): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}

/** The names of a list's URL parameters. A second list on the same page uses other names. */
export type ListNames = { search: string; page: string }

const usualNames: ListNames = { search: 'search', page: 'page' }

/**
 * Returns the page that the `page` parameter requests. Returns the first page if the parameter is not a
 * number from 1 to 999,999.
 * @param rows the number of rows per page
 */
export function numberedPageOf(
  query: SearchParams,
  rows: number = size,
  { page } = usualNames,
): NumberedPage {
  const asked = textOf(query, page)
  return { number: /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1, size: rows }
}

/**
 * Returns the search text from the `search` parameter without surrounding spaces. The text is truncated to
 * the maximum length of the search field, because the page shows the text in that field.
 */
export const searchOf = (query: SearchParams, { search } = usualNames, longest = 80): string =>
  textOf(query, search).trim().slice(0, longest)

/**
 * Returns the page of a list that the `after` or `before` parameter requests. If both are set, `before`
 * applies. Returns the first page if neither is set, or if the cursor is invalid.
 * @param first the number of rows per page
 */
export function pageOf(query: SearchParams, first: number = size): Page {
  const [after, before] = [textOf(query, 'after') || null, textOf(query, 'before') || null]
  try {
    return before ? parsePage({ last: first, before }) : parsePage({ first, after })
  } catch (error) {
    if (isAppError(error)) return parsePage({ first })
    throw error
  }
}

/** Does the same as `pageOf` for a list whose cursors are positions instead of IDs (`TextPage`). */
export function textPageOf(query: SearchParams, first: number = size): TextPage {
  const [after, before] = [textOf(query, 'after') || null, textOf(query, 'before') || null]
  try {
    return before ? parseTextPage({ last: first, before }) : parseTextPage({ first, after })
  } catch (error) {
    if (isAppError(error)) return parseTextPage({ first })
    throw error
  }
}

/**
 * Returns the links to the previous and the next page, or undefined for a page that does not exist.
 * @param kept the parameters to keep, such as a search; empty parameters are omitted
 * @param cursorFor returns the cursor of a row; by default, the row's ID determines it
 * @param prefix the prefix of the cursors' parameters, if the page has several lists
 */
export function pageHrefs<Row extends { id: string }>(
  path: string,
  kept: Record<string, string>,
  rows: readonly Row[],
  sides: { hasNextPage: boolean; hasPreviousPage: boolean },
  cursorFor: (row: Row) => string = ({ id }) => cursorOf(id),
  prefix = '',
): { previous: string | undefined; next: string | undefined } {
  const href = (side: 'before' | 'after', row: Row | undefined) =>
    row && addressOf(path, { ...kept, [prefix + side]: cursorFor(row) })
  return {
    previous: sides.hasPreviousPage ? href('before', rows[0]) : undefined,
    next: sides.hasNextPage ? href('after', rows.at(-1)) : undefined,
  }
}
