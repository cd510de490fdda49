import pg from 'pg'

const texts = new Map<string, string[]>()

/**
 * Takes note of a named statement as its module is loaded, so that `every-statement.db.test.ts` can hold each against the
 * schema.
 */
export function noteStatement(name: string, text: string): void {
  texts.set(name, [...(texts.get(name) ?? []), text])
}

/** The statements of the modules loaded so far: their texts, by their names. */
export const notedStatements = (): ReadonlyMap<string, readonly string[]> => texts

/** A connection or a pool. */
type Runner<Row> = {
  query(query: pg.QueryConfig, done: (error: Error | undefined, result: { rows: Row[] }) => void): unknown
}

/**
 * Runs a named prepared statement. It is handed over as the driver's own query object: of settings the driver makes a copy,
 * property by property with all their attributes, which takes longer than all else that it does to send a statement.
 * @param name unique in the product; PostgreSQL keeps the plan under it per connection
 * @returns the rows
 * @throws what the driver throws, with the stack of the caller
 */
export async function runNamed<Row extends pg.QueryResultRow>(
  runner: Runner<Row>,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  try {
    return await new Promise((resolve, reject) => {
      const query = Object.assign(new pg.Query(text, values), { name, text, values })
      runner.query(query, (error, result) => (error ? reject(error) : resolve(result.rows)))
    })
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/**
 * Has every statement of a connection sent without its name, for poolers that lend another connection of the server to each
 * and know nothing of names. The server then plans each anew. See decision 131.
 * @param client connected
 */
export function sendUnnamed(client: pg.ClientBase): void {
  // Looked up at each call, so that whoever watches the driver sees these statements too.
  const send = (...all: unknown[]): unknown => Reflect.apply(Object.getPrototypeOf(client).query, client, all)
  // The driver has ten ways to be called, which all hand the statement over first.
  const unnamed = (statement: unknown, ...rest: unknown[]) => {
    if (typeof statement === 'object' && statement !== null) Object.assign(statement, { name: undefined })
    return send(statement, ...rest)
  }
  client.query = unnamed as typeof client.query
}
