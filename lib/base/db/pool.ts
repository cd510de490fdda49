import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { keepAwake } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { tellLost } from './database-errors'
import { sendUnnamed } from './named-statements'
import { connectionSettings, idleMs, PrimaryClient, silenceMs } from './primary'
import { watchConnection, watchPool, watchStatements } from './watch'

/**
 * Of the connections a process may open, those that reads by key share (shared-reads.ts): none where statements have no
 * names, since a pooler that knows none is not trusted with many at a time, and none of a function, which closes what it does
 * not use before it is frozen.
 */
export const sharedConnections = (): number => (config().DATABASE_PREPARED && !config().functions ? 2 : 0)

/**
 * Of the connections a process may open, those kept for what token requests write: a third of them. Fewer than six are not
 * divided, nor are those of a function, which answers few requests at a time.
 */
const tokenConnections = (all: number): number => (all < 6 || config().functions ? 0 : Math.floor(all / 3))

/** @param name for metrics */
function makePool(name: string, max: number): pg.Pool {
  const made = new pg.Pool({
    ...connectionSettings(),
    max,
    idleTimeoutMillis: idleMs(),
    Client: PrimaryClient as unknown as new () => pg.ClientBase,
  })
  const lent = new WeakSet<pg.PoolClient>()
  made.on('acquire', (client) => lent.add(client))
  made.on('release', (_error, client) => lent.delete(client))
  made.on('connect', (client) => {
    watchConnection(client, silenceMs(), () => !lent.has(client))
    if (!config().DATABASE_PREPARED) sendUnnamed(client)
    // After that, so that a statement without a name is still told by the name it has here.
    watchStatements(client)
  })
  watchPool(made, name)
  // An idle connection that the server closed is replaced on the next use; it must not end the process.
  made.on('error', tellLost)
  return made
}

/** The connection pool of the process; Prisma uses it too. */
export function pool(): pg.Pool {
  const opened = remember('pg-pool', () => {
    const { DATABASE_POOL: all } = config()
    return makePool('main', Math.max(1, all - sharedConnections() - tokenConnections(all)))
  })
  if (config().functions) closeBeforeFreeze(opened)
  return opened
}

/**
 * The pool for what token requests write, so that they wait for nobody else's work: however many people sign in or open
 * pages, the connections of `pool` are all that these can take.
 * See decision 111.
 */
export function tokenPool(): pg.Pool {
  const max = tokenConnections(config().DATABASE_POOL)
  return max === 0 ? pool() : remember('pg-token-pool', () => makePool('token', max))
}

/** A frozen function could neither close a connection nor notice that the server closed it: it waits until none is left. */
function closeBeforeFreeze(opened: pg.Pool): void {
  const state = remember<{ closing?: Promise<void> }>('pg-pool-closing', () => ({}))
  state.closing ??= (async () => {
    do await sleep(500)
    while (opened.totalCount > 0)
    state.closing = undefined
  })()
  keepAwake(state.closing)
}
