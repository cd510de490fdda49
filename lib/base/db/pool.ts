import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { log } from '@/lib/base/log/log'
import { remember } from '@/lib/base/process/remember'
import { watchConnection } from './watch-connection'
import { watchPool, watchStatements } from './watch-statements'

/** Of the connections a process may open, those that reads by key share (shared-reads.ts). */
export const SHARED_CONNECTIONS = 2

/**
 * Of the connections a process may open, those kept for what token requests write: a third of them. Fewer than six are not
 * divided.
 */
const tokenConnections = (all: number): number => (all < 6 ? 0 : Math.floor(all / 3))

/** PostgreSQL ends a statement itself; this much later nobody waits for it to say so. */
const graceMs = 5_000

/** So long may a statement take where PostgreSQL is not told a limit, in seconds; a lost connection must be noticed there too. */
const longest = 60

/**
 * How long the database may owe an answer before its connection is given up, in milliseconds.
 * @param seconds that a statement may take on that connection
 */
export const silenceMs = (seconds = config().DATABASE_TIMEOUT || longest) => seconds * 1000 + graceMs

/**
 * What every connection of the product is opened with.
 * @param seconds that a statement may take on it, unless the operator leaves that to the database
 */
export const connectionSettings = (seconds = config().DATABASE_TIMEOUT) => ({
  connectionString: config().DATABASE_URL,
  connectionTimeoutMillis: 10_000,
  application_name: 'latchkey',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  ...(config().DATABASE_TIMEOUT > 0 ? { statement_timeout: seconds * 1000 } : {}),
})

/** @param name for metrics */
function makePool(name: string, max: number): pg.Pool {
  const made = new pg.Pool({ ...connectionSettings(), max, idleTimeoutMillis: 60_000 })
  made.on('connect', (client) => {
    watchConnection(client, silenceMs())
    watchStatements(client)
  })
  watchPool(made, name)
  // An idle connection that the server closed is replaced on the next use; it must not end the process.
  made.on('error', (error) => log.warn('a connection to the database was lost', { error }))
  return made
}

/** The connection pool of the process; Prisma uses it too. */
export const pool = (): pg.Pool =>
  remember('pg-pool', () => {
    const { DATABASE_POOL: all } = config()
    return makePool('main', Math.max(1, all - SHARED_CONNECTIONS - tokenConnections(all)))
  })

/**
 * The pool for what token requests write, so that they wait for nobody else's work: however many people sign in or open
 * pages, the connections of `pool` are all that these can take.
 * See decision 111.
 */
export const tokenPool = (): pg.Pool =>
  remember('pg-token-pool', () => {
    const max = tokenConnections(config().DATABASE_POOL)
    return max === 0 ? pool() : makePool('token', max)
  })
