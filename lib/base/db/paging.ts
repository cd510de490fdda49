import { badInput } from '@/lib/base/errors/app-error'

/** The arguments of a Relay connection, as the caller sent them. */
export type PageArgs = {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
}

/** One page of a list ordered by id. Keyset, not offset: rows written meanwhile neither shift nor repeat others. */
export type Page = {
  limit: number
  /** Taken from the end of the list. */
  backward: boolean
  after: string | null
  before: string | null
}

/** A page that was read: its rows in the list's order, and whether there is more on either side. */
export type Slice<Row> = { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean }

/** The same with a way to count the whole list, of which nothing is asked until somebody wants to know. */
export type CountedSlice<Row> = Slice<Row> & { count: () => Promise<number> }

/** The page of a list that holds nothing. */
export const emptySlice: CountedSlice<never> = {
  rows: [],
  hasNextPage: false,
  hasPreviousPage: false,
  count: async () => 0,
}

export const defaultPageSize = 50
export const maxPageSize = 100

/** The cursor of a row: opaque to callers, so that the order may change one day. */
export const cursorOf = (id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

/** Below and above every id, where a page has no bound: a comparison that is always there keeps to the index. */
export const lowestId = '00000000-0000-0000-0000-000000000000'
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The lowest id that a row made at `moment` can have: ids are UUIDv7 and begin with their time (RFC 9562 section 5.7). */
export function firstIdAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The moment of the last new id, and its place among those of that moment. */
let latest = { time: Number.NaN, place: 0 }

/**
 * A new id of a row made at `moment`, which need not be now. Of those that a process makes for one millisecond, one after another,
 * each is above the one before (RFC 9562 section 6.2, method 1): what happens in one request happens within one often enough.
 */
export function idAt(moment: Date): string {
  const time = moment.getTime()
  const place = time === latest.time ? (latest.place + 1) % 0x1000 : 0
  latest = { time, place }
  return `${firstIdAt(moment).slice(0, 15)}${place.toString(16).padStart(3, '0')}${crypto.randomUUID().slice(18)}`
}

/**
 * Checks the arguments of a connection.
 * @throws AppError BAD_USER_INPUT naming the argument
 */
export function parsePage(args: PageArgs): Page {
  const { first, last } = args
  if (first != null && last != null) throw badInput('last', 'Pass first or last, not both.')
  for (const [name, value] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (value != null && (value < 1 || value > maxPageSize)) {
      throw badInput(name, `Request 1 to ${maxPageSize} items.`)
    }
  }
  return {
    limit: first ?? last ?? defaultPageSize,
    backward: last != null,
    after: args.after == null ? null : idOf('after', args.after),
    before: args.before == null ? null : idOf('before', args.before),
  }
}

/**
 * The page as Prisma reads it: `where: { id: bounds }`, `orderBy` and `take`.
 * @param order of the list: `desc` has the latest in front
 */
export function keysetQuery(page: Page, order: 'asc' | 'desc' = 'asc') {
  const [after, before] = [page.after ?? undefined, page.before ?? undefined]
  const reversed = page.backward === (order === 'asc')
  return {
    bounds: order === 'asc' ? { gt: after, lt: before } : { lt: after, gt: before },
    orderBy: { id: reversed ? ('desc' as const) : ('asc' as const) },
    take: page.limit + 1,
  }
}

/**
 * Cuts what was read to the page.
 * @param read up to `limit + 1` rows, from the page's own side: in the list's order, or reversed for a backward page
 */
export function cutPage<Row>(page: Page, read: Row[]): Slice<Row> {
  const more = read.length > page.limit
  const rows = more ? read.slice(0, page.limit) : [...read]
  if (page.backward) rows.reverse()
  return page.backward
    ? { rows, hasNextPage: page.before !== null, hasPreviousPage: more }
    : { rows, hasNextPage: more, hasPreviousPage: page.after !== null }
}

function idOf(argument: string, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 16 || bytes.toString('base64url') !== cursor) {
    throw badInput(argument, 'This cursor does not belong to this list.')
  }
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A page of a list by its number, from 1: for lists that people leaf through, and whose length they are told. See ADR 0039. */
export type NumberedPage = { number: number; size: number }

/** A page that was read, and how many rows there are on all of them. */
export type NumberedRows<Row> = NumberedPage & { rows: Row[]; total: number }

/**
 * Reads one page. One beyond the last is the first: what was on it is gone.
 * @param read a window of the list; each row tells how many there are in all
 */
export async function readNumbered<Row extends { total: number }>(
  { number, size }: NumberedPage,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<NumberedRows<Omit<Row, 'total'>>> {
  const rows = await read(size, (number - 1) * size)
  if (rows.length === 0 && number > 1) return readNumbered({ number: 1, size }, read)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0, number, size }
}

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
    throw badInput(argument, 'This cursor does not belong to this list.')
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

/**
 * Sorts rows read for several keys at once back to their keys.
 * @returns for each key, in order, its rows in the order they were read
 */
export function inOrderOf<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const byKey = new Map<string, Row[]>(keys.map((key) => [key, []]))
  for (const row of rows) byKey.get(keyOf(row))?.push(row)
  return keys.map((key) => byKey.get(key) ?? [])
}

/** A text as LIKE and ILIKE take it literally: `%`, `_` and `\` mean themselves. Prisma hands texts over as they are. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** What somebody typed into a search field, as LIKE and ILIKE take it: no longer than any name, and literally. */
export const searchLiteral = (text: string): string => likeLiteral(text.trim().slice(0, 80))
