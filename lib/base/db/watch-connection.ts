import type { Socket } from 'node:net'
import type pg from 'pg'
import { remember } from '@/lib/base/process/remember'

/** What the driver keeps of a connection; it has no public way to the socket. */
type Driven = pg.ClientBase & {
  host?: string
  port?: number
  connection?: { stream?: Socket }
  readyForQuery?: boolean
}

type Watched = { openedAt: number; isFree: () => boolean; forget?: () => void }

/** Every connection of the process that is watched, although Next bundles this module a second time. */
const watched = () => remember('watched-connections', () => new Map<pg.ClientBase, Watched>())

/** A sentence that tells an outage (is-outage.ts). */
const silence = (ms: number) => new Error(`the database has sent nothing for ${ms / 1000} seconds`)

/**
 * Gives up a connection whose other end is gone without a word (a failover, a lost node, a dropped route): the system
 * itself would go on sending for some 16 minutes, and TCP's keep-alive does not look while something is unanswered. A
 * connection that waits for nothing may be silent for as long as it likes, until another one is found lost.
 * @param client connected
 * @param silentMs how long the other end may owe an answer without sending a byte, in milliseconds
 * @param isFree whether nobody is using the connection; it is then given up together with another one
 */
export function watchConnection(client: pg.ClientBase, silentMs: number, isFree = () => false): void {
  const socket = noteConnection(client, isFree)
  socket?.setTimeout(silentMs, () => {
    if ((client as Driven).readyForQuery === true) return
    giveUpOthers(client, silentMs)
    socket.destroy(silence(silentMs))
  })
}

/**
 * Has a connection given up when another one to the same address is found lost while nobody uses this one.
 * @param client connected
 * @param forget has nobody begin to use it; the driver tells of the end of a connection a moment later
 * @returns its socket
 */
export function noteConnection(
  client: pg.ClientBase,
  isFree: () => boolean,
  forget?: () => void,
): Socket | undefined {
  const socket = (client as Driven).connection?.stream
  if (!socket) return undefined
  watched().set(client, { openedAt: performance.now(), isFree, forget })
  socket.once('close', () => watched().delete(client))
  return socket
}

/**
 * Gives up what is as old as a connection that was found lost, leads to the same address, and is not in use: whoever came
 * next would wait as long to find out the same. What is under way on others keeps its own limit.
 * @param lost what was found
 * @param silentMs for how long it had been silent, in milliseconds
 */
export function giveUpOthers(lost: pg.ClientBase, silentMs: number): void {
  const { host, port } = lost as Driven
  const fellSilentAt = performance.now() - silentMs
  for (const [client, { openedAt, isFree, forget }] of watched()) {
    const other = client as Driven
    if (client === lost || other.host !== host || other.port !== port) continue
    if (openedAt > fellSilentAt || other.readyForQuery !== true || !isFree()) continue
    forget?.()
    other.connection?.stream?.destroy(silence(silentMs))
  }
}
