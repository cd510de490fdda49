import { cursorOf, type Page, parsePage } from '@/lib/db/keyset'
import { isAppError } from '@/lib/errors/app-error'

export type SearchParams = Record<string, string | string[] | undefined>

const size = 25

/** The page of a list that an address asks for by `?after=` or `?before=`; the first one when a cursor is none. */
export function pageOf(query: SearchParams, first: number = size): Page {
  const [after, before] = [query.after, query.before].map((value) => [value].flat()[0] ?? null)
  try {
    return before ? parsePage({ last: first, before }) : parsePage({ first, after })
  } catch (error) {
    if (isAppError(error)) return parsePage({ first })
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
  const href = (name: string, row: { id: string } | undefined) => {
    if (!row) return undefined
    const entries = Object.entries({ ...kept, [name]: cursorOf(row.id) }).filter(([, value]) => value !== '')
    return `${path}?${new URLSearchParams(entries)}`
  }
  return {
    previous: sides.hasPreviousPage ? href('before', rows[0]) : undefined,
    next: sides.hasNextPage ? href('after', rows.at(-1)) : undefined,
  }
}
