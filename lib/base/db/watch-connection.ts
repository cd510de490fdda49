import type { Socket } from 'node:net'
import type pg from 'pg'

/** What the driver keeps of a connection; it has no public way to the socket. */
type Driven = pg.ClientBase & { connection?: { stream?: Socket }; readyForQuery?: boolean }

/**
 * Gives up a connection whose other end is gone without a word (a failover, a lost node, a dropped route): the system
 * itself would go on sending for some 16 minutes, and TCP's keep-alive does not look while something is unanswered. A
 * connection that waits for nothing may be silent for as long as it likes.
 * @param client connected
 * @param silentMs how long the other end may owe an answer without sending a byte, in milliseconds
 */
export function watchConnection(client: pg.ClientBase, silentMs: number): void {
  const { connection } = client as Driven
  const socket = connection?.stream
  if (!socket) return
  socket.setTimeout(silentMs, () => {
    if ((client as Driven).readyForQuery === true) return
    socket.destroy(new Error(`the database has sent nothing for ${silentMs / 1000} seconds`))
  })
}
