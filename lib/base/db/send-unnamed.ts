import type pg from 'pg'

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
