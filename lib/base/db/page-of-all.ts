import { badInput } from '@/lib/base/errors/app-error'
import { type CountedSlice, cutPage, type PageArgs, parsePage } from './keyset'

/** A page of a list in an order of its own, such as by name: its cursors are places in that order, not ids. */
export type TextPage = { limit: number; backward: boolean; after: string | null; before: string | null }

/** The cursor of a place: opaque to callers. */
export const cursorOfPlace = (place: string): string => Buffer.from(place).toString('base64url')

/**
 * Checks the arguments of a connection whose cursors are places.
 * @throws AppError BAD_USER_INPUT naming the argument
 */
export function parseTextPage({ after, before, ...size }: PageArgs): TextPage {
  const { limit, backward } = parsePage(size)
  return { limit, backward, after: placeOf('after', after), before: placeOf('before', before) }
}

function placeOf(argument: string, cursor: string | null | undefined): string | null {
  if (cursor == null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (!place || cursorOfPlace(place) !== cursor)
    throw badInput(argument, 'This is not a cursor of this list.')
  return place
}

/**
 * One page of a list that never grows long and was read whole.
 * @param placeOf what a row is sorted by; no two rows have the same
 */
export function pageOfAll<Row>(
  all: readonly Row[],
  placeOf: (row: Row) => string,
  page: TextPage,
): CountedSlice<Row> {
  const placed = all
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(
      ({ place }) =>
        (page.after === null || place > page.after) && (page.before === null || place < page.before),
    )
    .sort((one, other) => (one.place < other.place ? -1 : 1))
  if (page.backward) placed.reverse()
  const rows = placed.slice(0, page.limit + 1).map(({ row }) => row)
  return { ...cutPage(page, rows), count: async () => all.length }
}
