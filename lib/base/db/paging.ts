import { badInput } from '@/lib/base/errors/app-error'

/** The arguments that the caller sent for a Relay connection. */
export type PageArgs = {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
}

/**
 * The size and bounds of a page of a list ordered by ID. With keyset pagination, rows that are inserted later
 * do not cause other rows to be skipped or repeated.
 */
export type Page = {
  limit: number
  /** Whether the page contains the last rows between `after` and `before` instead of the first ones. */
  backward: boolean
  after: string | null
  before: string | null
}

/** The rows of a page in the list's order, and whether more rows exist before and after it. */
export type Slice<Row> = { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean }

/**
 * A slice with a function that counts the whole list. The rows are counted only when the function is called.
 */
export type CountedSlice<Row> = Slice<Row> & { count: () => Promise<number> }

/** The slice of an empty list. */
export const emptySlice: CountedSlice<never> = {
  rows: [],
  hasNextPage: false,
  hasPreviousPage: false,
  count: async () => 0,
}

export const defaultPageSize = 50
export const maxPageSize = 100

/** Returns the opaque cursor of a row. */
export const cursorOf = (id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

/**
 * The lowest possible ID. Queries for a page without a lower bound use this ID as the bound, so that
 * PostgreSQL can also use the index for them.
 */
export const lowestId = '00000000-0000-0000-0000-000000000000'
export const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Returns the lowest possible ID of a row created at `moment`. IDs are UUIDv7, which starts with the time
 * (RFC 9562 section 5.7).
 */
export function firstIdAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The time of the ID that `idAt` returned most recently, and the ID's position within that millisecond. */
let latest = { time: Number.NaN, place: 0 }

/**
 * Returns a new ID for a row created at `moment`, which can be in the past. Consecutive calls for the same
 * millisecond return increasing IDs within a process, up to 4096 of them (RFC 9562 section 6.2, method 1).
 * Rows that one request creates in the same millisecond therefore sort in the order in which they were
 * created.
 */
export function idAt(moment: Date): string {
  const time = moment.getTime()
  const place = time === latest.time ? (latest.place + 1) % 0x1000 : 0
  latest = { time, place }
  return `${firstIdAt(moment).slice(0, 15)}${place.toString(16).padStart(3, '0')}${crypto.randomUUID().slice(18)}`
}

/**
 * Parses the arguments of a connection. The page has `defaultPageSize` rows if neither `first` nor `last` is
 * set.
 * @throws AppError BAD_USER_INPUT that names the argument
 */
export function parsePage(args: PageArgs): Page {
  const { first, last } = args
  if (first != null && last != null) throw badInput('last', 'Pass either first or last, not both.')
  for (const [name, value] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (value != null && (value < 1 || value > maxPageSize)) {
      throw badInput(name, `Request between 1 and ${maxPageSize} items.`)
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
 * Returns the Prisma arguments for a page: `bounds` for `where: { id: bounds }`, `orderBy`, and `take`. They
 * read one row more than the page contains, so that `cutPage` can determine whether more rows exist.
 * @param order the order of the list; `desc` starts with the latest row
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
 * Returns the rows of the page in the list's order, and whether more rows exist before and after them. If the
 * page was read from a cursor, this function assumes that rows exist on the other side of that cursor.
 * @param read up to `limit + 1` rows, in the list's order; for a backward page, in reverse order
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
    throw badInput(
      argument,
      'This cursor doesn’t belong to this list. Use a cursor that the same list returned.',
    )
  }
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A page identified by its number, starting at 1, for lists with page numbers and a total. See ADR 0030. */
export type NumberedPage = { number: number; size: number }

/** The rows of a page, and the total number of rows on all pages. */
export type NumberedRows<Row> = NumberedPage & { rows: Row[]; total: number }

/**
 * Reads one page. Returns the first page if the requested page is empty.
 * @param read returns a window of the list; each row contains the total
 */
export async function readNumbered<Row extends { total: number }>(
  { number, size }: NumberedPage,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<NumberedRows<Omit<Row, 'total'>>> {
  const rows = await read(size, (number - 1) * size)
  if (rows.length === 0 && number > 1) return readNumbered({ number: 1, size }, read)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0, number, size }
}

/**
 * The size and bounds of a page of a list that is ordered by something other than the ID, such as the name.
 * The list's cursors are positions in that order.
 */
export type TextPage = { limit: number; backward: boolean; after: string | null; before: string | null }

/** Returns the opaque cursor of a position. */
export const cursorOfPlace = (place: string): string => Buffer.from(place).toString('base64url')

/**
 * Parses the arguments of a connection whose cursors are positions.
 * @throws AppError BAD_USER_INPUT that names the argument
 */
export function parseTextPage({ after, before, ...size }: PageArgs): TextPage {
  const { limit, backward } = parsePage(size)
  return { limit, backward, after: placeOf('after', after), before: placeOf('before', before) }
}

function placeOf(argument: string, cursor: string | null | undefined): string | null {
  if (cursor == null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (!place || cursorOfPlace(place) !== cursor)
    throw badInput(
      argument,
      'This cursor doesn’t belong to this list. Use a cursor that the same list returned.',
    )
  return place
}

/**
 * Sorts a list that was read completely, and returns one page of it and a function that returns the list's
 * length.
 * @param all the whole list, in any order
 * @param placeOf returns the unique sort key of a row
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
 * Groups rows by their key.
 * @returns the rows of each key, in the order of `keys`, or an empty list for a key without rows; the rows
 * keep their order
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

/** Escapes `%`, `_`, and `\` for LIKE and ILIKE. Prisma does not escape them. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Trims search text, cuts it to the maximum length of a name, and escapes it for LIKE and ILIKE. */
export const searchLiteral = (text: string): string => likeLiteral(text.trim().slice(0, 80))
