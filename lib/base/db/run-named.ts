import pg from 'pg'

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
