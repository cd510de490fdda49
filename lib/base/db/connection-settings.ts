import { config } from '@/lib/base/config/env'
import { databaseTarget } from './database-target'

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
 * @param address of the primary unless it is another's
 */
export const connectionSettings = (seconds = config().DATABASE_TIMEOUT, address = config().DATABASE_URL) => ({
  connectionTimeoutMillis: 10_000,
  application_name: 'latchkey',
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  ...(config().DATABASE_TIMEOUT > 0 ? { statement_timeout: seconds * 1000 } : {}),
  ...databaseTarget(address, config().DATABASE_CA),
})

/** How long a connection waits for its next use, in milliseconds: a function's is closed before the function is frozen. */
export const idleMs = () => (config().functions ? 5_000 : 60_000)
