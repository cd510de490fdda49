import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { keepResults } from '@/lib/base/process/keep-results'
import { remember } from '@/lib/base/process/remember'
import { connectionWait, statementDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import { isOutage } from './database-errors'

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
  const socket = trackConnection(client, isFree)
  socket?.setTimeout(silentMs, () => {
    if ((client as Driven).readyForQuery === true) return
    closeIdleConnections(client, silentMs)
    socket.destroy(silence(silentMs))
  })
}

/**
 * Has a connection given up when another one to the same address is found lost while nobody uses this one.
 * @param client connected
 * @param forget has nobody begin to use it; the driver tells of the end of a connection a moment later
 * @returns its socket
 */
export function trackConnection(
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
export function closeIdleConnections(lost: pg.ClientBase, silentMs: number): void {
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

type Any = (...all: unknown[]) => unknown
type Done = (error: unknown, ...rest: unknown[]) => void

/** What stands at the head of a statement, as far as it is told apart. */
const verbs = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LOCK)\b/i

/** The first table that a statement names; what it reads from and calls is a function. */
const table =
  /\b(?:INTO|(?<!\bFOR\s+)UPDATE)\s+(?:public\.)?([a-z_][\w.]*)|\b(?:FROM|JOIN)\s+(?:public\.)?([a-z_][\w.]*)(?![\w.]*\s*\()/i

/** What a statement does to which table: words of the code, none of its values. */
const summaryOf = keepResults(2_000, (text) => {
  const plain = text.replaceAll('"', '')
  const verb = verbs.exec(plain)?.[1]?.toUpperCase()
  if (verb === undefined) return 'OTHER'
  const [, written, read] = table.exec(plain) ?? []
  return [verb, written ?? read].filter(Boolean).join(' ')
})

/** A named statement's name, else what it does to which table. */
function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return summaryOf(statement)
  const { name, text } = statement as { name?: unknown; text?: unknown }
  return typeof name === 'string' && name !== '' ? name : summaryOf(String(text))
}

/** PostgreSQL's own code of what went wrong (appendix A of its manual), or how far it got. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  return isOutage(error) ? 'connection' : 'driver'
}

/** Measures the statements of a connection and makes each a step of its trace, by name and never by value. For one that is about to be used. */
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
 * Measures how long work waits for a connection of a pool. What goes on once it has one belongs to the trace of whoever
 * asked, where the driver would leave it to the one who gave the connection back.
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
