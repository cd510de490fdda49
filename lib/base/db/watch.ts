import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { cacheResults, remember } from '@/lib/base/process/remember'
import { connectionWait, statementDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import { isOutage } from './database-errors'
import { isPrismaStatement } from './prisma-statements'

/** Members of the driver that its types lack; it has no public access to the socket. */
type Driven = pg.ClientBase & {
  host?: string
  port?: number
  connection?: { stream?: Socket }
  readyForQuery?: boolean
}

type Watched = { openedAt: number; isIdle: () => boolean; beforeClose?: () => void }

/** All tracked connections of the process, although Next bundles this module a second time. */
const watched = () => remember('watched-connections', () => new Map<pg.ClientBase, Watched>())

/** An error that `isOutage` recognizes. */
const silence = (ms: number) => new Error(`the database has sent nothing for ${ms / 1000} seconds`)

/**
 * Closes a connection whose server disappeared silently (a failover, a lost node, a dropped route). The system would retransmit
 * for some 16 minutes, and TCP keep-alive does not probe while data is unacknowledged. An idle connection can be silent
 * indefinitely, until another connection to its server is found dead.
 * @param client connected
 * @param silentMs how long the server can owe a response without sending a byte, in milliseconds
 * @param isIdle whether the connection is unused, so that it closes together with a dead one
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
 * Makes `closeIdleConnections` close a connection if it is idle.
 * @param client connected
 * @param beforeClose stops new work from using it; the driver reports the end of a connection a moment later
 * @returns its socket
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
 * Closes the idle connections to the server of a dead connection, as far as they were open when it fell silent. Their next user
 * would otherwise wait as long to find them dead. Connections in use keep their own limit.
 * @param silentMs how long the dead connection was silent, in milliseconds
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

/** The leading keyword of a statement, if it is one of these. */
const verbs = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LOCK)\b/i

/** The first table that a statement names. A name before a parenthesis is a function. */
const table =
  /\b(?:INTO|(?<!\bFOR\s+)UPDATE)\s+(?:public\.)?([a-z_][\w.]*)|\b(?:FROM|JOIN)\s+(?:public\.)?([a-z_][\w.]*)(?![\w.]*\s*\()/i

/** Summarizes a statement as its keyword and table. Contains no values. */
const summaryOf = cacheResults(2_000, (text) => {
  const plain = text.replaceAll('"', '')
  const verb = verbs.exec(plain)?.[1]?.toUpperCase()
  if (verb === undefined) return 'OTHER'
  const [, written, read] = table.exec(plain) ?? []
  return [verb, written ?? read].filter(Boolean).join(' ')
})

/** Returns the name of a statement of ours, or the summary of any other. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return summaryOf(statement)
  const { name, text } = statement as { name?: unknown; text?: unknown }
  return typeof name === 'string' && name !== '' && !isPrismaStatement(name) ? name : summaryOf(String(text))
}

/** Returns PostgreSQL's error code (appendix A of its manual), or where the error came from. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  return isOutage(error) ? 'connection' : 'driver'
}

/** Measures and traces the statements of a new connection, by name and never by value. */
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
 * Measures how long work waits for a connection of a pool. The work that then runs is traced under its own request; the driver
 * would assign it to the request that returned the connection.
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
