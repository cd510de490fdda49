import type { Server } from 'node:http'

/** When each connection that has not brought a request yet was opened, by `performance.now()`. */
const opened = new WeakMap<object, number>()

/** Notes from now on when connections are opened. */
export const noteConnections = (server: Server): void => {
  server.on('connection', (socket) => opened.set(socket, performance.now()))
}

/**
 * When the connection of a request was opened, which was for this request.
 * @returns undefined for a later request of a connection, and where the server is not ours
 */
export function openedFor(req: { socket?: object | null }): number | undefined {
  const at = req.socket ? opened.get(req.socket) : undefined
  if (at !== undefined && req.socket) opened.delete(req.socket)
  return at
}
