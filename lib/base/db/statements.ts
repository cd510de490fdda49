import pg from 'pg'
import { pool, sharedConnections, tokenPool } from './pool'

type Options<Row> = {
  /**
   * Which connections the statement uses; those of the shared pool by default.
   * - `token`: those reserved for token requests, so that pages and sign-ins cannot delay them (ADR 0034).
   * - `shared`: those that requests use at the same time. Only for a fast read by key: every later statement on the connection
   *   waits for it (ADR 0034).
   */
  connections?: 'token' | 'shared'
  /**
   * The SQL of each column by its name, for a wide row that requests read often; the text then begins with FROM. The row
   * arrives as one JSON array, which costs the driver less than many columns. Times arrive as text; encode bytes.
   */
  json?: Record<keyof Row & string, string>
}

const texts = new Map<string, string[]>()

/**
 * Defines a prepared statement, for queries on hot paths and those that Prisma cannot express. Prisma serves all others.
 * @param name unique in the product; each connection keeps the plan under it
 * @param text SQL with $1, $2, ...
 * @returns a function from the values to the rows, which throws what the driver throws, with the stack of its caller
 */
export function statement<Row extends object, Values extends unknown[]>(
  name: string,
  text: string,
  { connections, json }: Options<Row> = {},
): (...values: Values) => Promise<Row[]> {
  const prepared: Prepared = json
    ? {
        name,
        text: `SELECT json_build_array(${Object.values(json)}) AS row ${text}`,
        columns: Object.keys(json),
      }
    : { name, text }
  texts.set(name, [...(texts.get(name) ?? []), prepared.text])
  if (connections === 'token') return (...values) => send<Row>(tokenPool(), prepared, values)
  if (connections === undefined) return (...values) => send<Row>(pool(), prepared, values)
  return (...values) => {
    const shared = sharedConnections()
    // Where none are shared, pages and sign-ins must not delay these reads either.
    if (!shared) return send<Row>(tokenPool(), prepared, values)
    const { client, opening, failed } = shared.next()
    const run = () => send<Row>(client, prepared, values, failed)
    return opening ? opening.then(run) : run()
  }
}

/** Returns the texts of the statements in the modules loaded so far, by name. More than one text is a mistake. */
export const definedStatements = (): ReadonlyMap<string, readonly string[]> => texts

type Prepared = { name: string; text: string; columns?: string[] }

/** A connection or a pool. */
type Connection = {
  query(query: pg.QueryConfig, done: (error: Error | undefined, result: { rows: unknown[] }) => void): unknown
}

/**
 * Sends the driver's own query object. Given settings instead, the driver copies them property by property, which takes longer
 * than everything else it does to send a statement.
 */
async function send<Row>(
  to: Connection,
  { name, text, columns }: Prepared,
  values: unknown[],
  failed?: (error: unknown) => void,
): Promise<Row[]> {
  try {
    return await new Promise((resolve, reject) => {
      const query = Object.assign(new pg.Query(text, values), { name, text, values })
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
