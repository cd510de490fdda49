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

/** The first value of a parameter; empty when there is none. */
export const textOf = (query: SearchParams, name: string): string => [query[name]].flat()[0] ?? ''

/** A parameter that names one of a few things; undefined when it names none of them. */
export const oneOf = <Choice extends string>(
  query: SearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === textOf(query, name))

/** A day (UTC) that a parameter names, as it was written, with the moments it begins and ends; undefined for what is none. */
export function dayOf(
  query: SearchParams,
  name: string,
): { text: string; begins: Date; ends: Date } | undefined {
  const text = textOf(query, name)
  const begins = new Date(/^20\d\d-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : Number.NaN)
  if (Number.isNaN(begins.getTime())) return undefined
  return { text, begins, ends: new Date(begins.getTime() + 86_400_000) }
}

/** An address with parameters; empty ones are left out. */
export function addressOf(path: string, parameters: Record<string, string | undefined>): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path
}

/** How an address says what of a list is shown; a second list of a page has names of its own. */
export type ListNames = { search: string; page: string }

const usualNames: ListNames = { search: 'search', page: 'page' }

/** The page of a list that an address asks for by `?page=`; the first one when that is no number. */
export function numberedPageOf(
  query: SearchParams,
  rows: number = size,
  { page } = usualNames,
): NumberedPage {
  const asked = textOf(query, page)
  return { number: /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1, size: rows }
}

/** What a list is searched for by `?search=`, as far as its field takes it: the pages repeat it. */
export const searchOf = (query: SearchParams, { search } = usualNames, longest = 80): string =>
  textOf(query, search).trim().slice(0, longest)

/** The page of a list that an address asks for by `?after=` or `?before=`; the first one when a cursor is none. */
export function pageOf(query: SearchParams, first: number = size): Page {
  const [after, before] = [textOf(query, 'after') || null, textOf(query, 'before') || null]
  try {
    return before ? parsePage({ last: first, before }) : parsePage({ first, after })
  } catch (error) {
    if (isAppError(error)) return parsePage({ first })
    throw error
  }
}

/** The same of a list whose cursors are places in an order of its own. */
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
 * The addresses of the pages before and after one.
 * @param kept parameters that stay, such as a search; empty ones are left out
 */
export function pageHrefs(
  path: string,
  kept: Record<string, string>,
  rows: readonly { id: string }[],
  sides: { hasNextPage: boolean; hasPreviousPage: boolean },
): { previous: string | undefined; next: string | undefined } {
  const href = (name: string, row: { id: string } | undefined) =>
    row && addressOf(path, { ...kept, [name]: cursorOf(row.id) })
  return {
    previous: sides.hasPreviousPage ? href('before', rows[0]) : undefined,
    next: sides.hasNextPage ? href('after', rows.at(-1)) : undefined,
  }
}
