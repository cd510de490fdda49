import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { cacheResults, remember } from '@/lib/base/process/remember'
import { connectionWait, statementDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import { isOutage } from './database-errors'

/**
 * Members of the driver's client that its types do not declare. The driver has no public access to the
 * socket.
 */
type Driven = pg.ClientBase & {
  host?: string
  port?: number
  connection?: { stream?: Socket }
  readyForQuery?: boolean
}

type Watched = { openedAt: number; isIdle: () => boolean; beforeClose?: () => void }

/**
 * Returns all tracked connections of the process. Not a module variable, because Next bundles a second copy
 * of this module.
 */
const watched = () => remember('watched-connections', () => new Map<pg.ClientBase, Watched>())

/** Creates an error that `isOutage` recognizes. */
const silence = (ms: number) => new Error(`the database has sent nothing for ${ms / 1000} seconds`)

/**
 * Monitors a connection. If the server sends nothing for `silentMs` while a response is pending, for example
 * after a failover or on a dropped route, closes this connection and the idle connections to the same server.
 * Without this limit, the operating system would retransmit for about 16 minutes. TCP keep-alive does not
 * prevent that, because it sends no probes while data is unacknowledged.
 * @param client a connected client
 * @param silentMs how long the server can send nothing while a response is pending, in milliseconds
 * @param isIdle returns whether the connection is unused and can close together with a dead connection; by
 * default, false
 */
export function watchConnection(client: pg.ClientBase, silentMs: number, isIdle = () => false): void {
  const socket = trackConnection(client, isIdle)
  socket?.setTimeout(silentMs, () => {
    if ((client as Driven).readyForQuery === true) return
    closeIdleConnections(client, silentMs)
    socket.destroy(silence(silentMs))
  })
}

/**
 * Registers a connection so that `closeIdleConnections` closes it if it is idle.
 * @param client a connected client
 * @param beforeClose a function that prevents new work from using the connection; needed because the driver
 * reports a closed connection with a delay
 * @returns the connection's socket, or undefined if the connection has none
 */
export function trackConnection(
  client: pg.ClientBase,
  isIdle: () => boolean,
  beforeClose?: () => void,
): Socket | undefined {
  const socket = (client as Driven).connection?.stream
  if (!socket) return undefined
  watched().set(client, { openedAt: performance.now(), isIdle, beforeClose })
  socket.once('close', () => watched().delete(client))
  return socket
}

/**
 * Closes the idle connections to the server of a dead connection. Otherwise, the next query on each idle
 * connection would wait as long as the query on the dead connection. Connections opened after the server last
 * sent data on the dead connection stay open, and connections in use keep their own time limit.
 * @param silentMs the time in which the server sent nothing on the dead connection, in milliseconds
 */
export function closeIdleConnections(dead: pg.ClientBase, silentMs: number): void {
  const { host, port } = dead as Driven
  const fellSilentAt = performance.now() - silentMs
  for (const [client, { openedAt, isIdle, beforeClose }] of watched()) {
    const other = client as Driven
    if (client === dead || other.host !== host || other.port !== port) continue
    if (openedAt > fellSilentAt || other.readyForQuery !== true || !isIdle()) continue
    beforeClose?.()
    other.connection?.stream?.destroy(silence(silentMs))
  }
}

type Any = (...all: unknown[]) => unknown
type Done = (error: unknown, ...rest: unknown[]) => void

/**
 * Matches the leading keyword of a statement, if it is one of the keywords that `summaryOf` distinguishes.
 */
const verbs = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LOCK)\b/i

/**
 * Matches the first table that a statement names. After FROM or JOIN, a name before a parenthesis is a
 * function, not a table.
 */
const table =
  /\b(?:INTO|(?<!\bFOR\s+)UPDATE)\s+(?:public\.)?([a-z_][\w.]*)|\b(?:FROM|JOIN)\s+(?:public\.)?([a-z_][\w.]*)(?![\w.]*\s*\()/i

/**
 * Returns a statement's keyword and first table, without values, or `OTHER` if the keyword is not one of
 * `verbs`.
 */
const summaryOf = cacheResults(2_000, (text) => {
  const plain = text.replaceAll('"', '')
  const verb = verbs.exec(plain)?.[1]?.toUpperCase()
  if (verb === undefined) return 'OTHER'
  const [, written, read] = table.exec(plain) ?? []
  return [verb, written ?? read].filter(Boolean).join(' ')
})

/**
 * How the names of Prisma's prepared statements begin (prisma.ts). Metrics and traces contain a summary of
 * the text instead of such a name.
 */
export const prismaPrefix = 'prisma '

/** Returns the name of one of our named statements, or the summary of any other statement. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return summaryOf(statement)
  const { name, text } = statement as { name?: unknown; text?: unknown }
  return typeof name === 'string' && name !== '' && !name.startsWith(prismaPrefix)
    ? name
    : summaryOf(String(text))
}

/**
 * Returns PostgreSQL's error code (appendix A of its manual) or, if there is none, `connection` for an outage
 * and `driver` for any other error.
 */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  return isOutage(error) ? 'connection' : 'driver'
}

/**
 * Measures and traces a new connection's statements by name or summary, never with values. Does nothing
 * without telemetry.
 */
export function watchStatements(client: pg.ClientBase): void {
  if (!recorder()) return
  const send = client.query.bind(client) as Any
  const watched: Any = (...all) => {
    const done = beginStatement(all[0])
    const last = all.at(-1)
    if (typeof last === 'function') {
      all[all.length - 1] = ((error, ...rest) => {
        done(error)
        last(error, ...rest)
      }) satisfies Done
      return send(...all)
    }
    const answer = send(...all)
    if (answer instanceof Promise) answer.then(() => done(undefined), done)
    return answer
  }
  client.query = watched as typeof client.query
}

function beginStatement(statement: unknown): (error: unknown) => void {
  const summary = nameOf(statement)
  const labels = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
  const end = recorder()?.begin({ name: summary, kind: 'client', labels })
  const since = performance.now()
  return (error) => {
    const failure = error ? codeOf(error) : undefined
    end?.(failure)
    statementDuration.record((performance.now() - since) / 1000, {
      'db.query.summary': summary,
      'error.type': failure,
    })
  }
}

/**
 * Measures how long work waits for a connection from a pool, and restores the trace context after the wait.
 * Without the restored context, the work would be part of the trace of the request that returned the
 * connection. Does nothing without telemetry.
 */
export function watchPool(pool: pg.Pool, name: string): void {
  if (!recorder()) return
  const connect = pool.connect.bind(pool) as Any
  const watched: Any = (done) => {
    const since = performance.now()
    const got = (error?: unknown) =>
      connectionWait.record((performance.now() - since) / 1000, {
        'db.client.connection.pool.name': name,
        'error.type': error ? codeOf(error) : undefined,
      })
    if (typeof done !== 'function') {
      const connecting = connect() as Promise<unknown>
      connecting.then(() => got(), got)
      return connecting
    }
    const andThen: Done = (error, ...rest) => {
      got(error)
      done(error, ...rest)
    }
    return connect(AsyncResource.bind(andThen))
  }
  pool.connect = watched as typeof pool.connect
}
