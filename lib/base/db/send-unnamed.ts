import type pg from 'pg'

/**
 * Has every statement of a connection sent without its name, for poolers that lend another connection of the server to each
 * and know nothing of names. The server then plans each anew. See decision 131.
 * @param client connected
 */
export function sendUnnamed(client: pg.ClientBase): void {
  const send = client.query.bind(client) as (...all: unknown[]) => unknown
  // The driver has ten ways to be called, which all hand the statement over first.
  const unnamed = (statement: unknown, ...rest: unknown[]) => {
    if (typeof statement === 'object' && statement !== null) Object.assign(statement, { name: undefined })
    return send(statement, ...rest)
  }
  client.query = unnamed as typeof client.query
}
