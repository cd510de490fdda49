import pg from 'pg'
import { pool, sharedConnections, tokenPool } from './pool'

type Options<Row> = {
  /**
   * The connections that the statement uses; by default, those of the main pool.
   * - `token`: connections reserved for token requests, so that pages and sign-ins cannot delay them (ADR
   *   0034).
   * - `shared`: connections that requests use at the same time. Only for fast reads by key, because every
   *   later statement on the connection waits for the read (ADR 0034). If this process shares no connections,
   *   the `token` connections are used.
   */
  connections?: 'token' | 'shared'
  /**
   * The SQL of each column by name, for frequent statements whose rows have many columns. If this option is
   * set, the statement's text must begin with FROM. Each row arrives as one JSON array, which the driver
   * parses faster than many columns. Times arrive as text, and bytes must be encoded in the SQL.
   */
  json?: Record<keyof Row & string, string>
  /** Whether times stay text, for lists whose times are rarely selected. `dateOf` converts them. */
  textTimes?: boolean
}

/** A time that was read from the database: a Date, or PostgreSQL's text if the statement has `textTimes`. */
export type Timestamp = Date | string

const parseTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** Returns a time from the database as a Date. */
export const dateOf = (time: Timestamp): Date => (typeof time === 'string' ? parseTimestamp(time) : time)

/** The driver's parsers, except that times stay text. */
const withTextTimes: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ ? String : pg.types.getTypeParser(type, format as 'text'),
}

const texts = new Map<string, string[]>()

/**
 * Defines a prepared statement, for frequent queries and for queries that Prisma cannot express. All other
 * queries use Prisma.
 * @param name a name that is unique in the codebase; each connection stores the statement's plan under this
 * name
 * @param text SQL with $1, $2, ...
 * @returns a function that takes the values and returns the rows; if the statement fails, the function throws
 * the driver's error with the stack of the function's caller
 */
export function statement<Row extends object, Values extends unknown[]>(
  name: string,
  text: string,
  { connections, json, textTimes }: Options<Row> = {},
): (...values: Values) => Promise<Row[]> {
  const prepared: Prepared = json
    ? {
        name,
        text: `SELECT json_build_array(${Object.values(json)}) AS row ${text}`,
        columns: Object.keys(json),
      }
    : { name, text, types: textTimes ? withTextTimes : undefined }
  texts.set(name, [...(texts.get(name) ?? []), prepared.text])
  if (connections === 'token') return (...values) => send<Row>(tokenPool(), prepared, values)
  if (connections === undefined) return (...values) => send<Row>(pool(), prepared, values)
  return (...values) => {
    const shared = sharedConnections()
    // Use the token pool if this process shares no connections, because pages and sign-ins must not delay
    // these reads.
    if (!shared) return send<Row>(tokenPool(), prepared, values)
    const { client, opening, failed } = shared.next()
    const run = () => send<Row>(client, prepared, values, failed)
    return opening ? opening.then(run) : run()
  }
}

/**
 * Returns the texts of all statements in the modules loaded so far, by name. A name with more than one text
 * is a mistake.
 */
export const definedStatements = (): ReadonlyMap<string, readonly string[]> => texts

type Prepared = { name: string; text: string; columns?: string[]; types?: pg.CustomTypesConfig }

/** A connection or a pool. */
type Connection = {
  query(query: pg.QueryConfig, done: (error: Error | undefined, result: { rows: unknown[] }) => void): unknown
}

/**
 * Sends a statement and returns its rows. If the statement fails, calls `failed` and throws the driver's
 * error. The statement is sent as the driver's own query object. The driver would copy a plain object
 * property by property, which takes longer than all other steps of sending a statement.
 */
async function send<Row>(
  to: Connection,
  { name, text, columns, types }: Prepared,
  values: unknown[],
  failed?: (error: unknown) => void,
): Promise<Row[]> {
  try {
    return await new Promise((resolve, reject) => {
      const query = Object.assign(new pg.Query(types ? { text, types } : text, values), {
        name,
        text,
        values,
      })
      to.query(query, (error, result) => {
        if (error) reject(error)
        else resolve((columns ? rowsOf(columns, result.rows) : result.rows) as Row[])
      })
    })
  } catch (error) {
    failed?.(error)
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

const rowsOf = (columns: string[], read: unknown[]): object[] =>
  read.map((each) => {
    const { row } = each as { row: unknown[] }
    const named: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) named[columns[i] as string] = row[i]
    return named
  })
