import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { keepAwake } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { logLostConnection } from './database-errors'
import { connectionSettings, idleMs, PrimaryClient, silenceMs } from './primary'
import { closeIdleConnections, trackConnection, watchConnection, watchPool, watchStatements } from './watch'

/**
 * Returns how many of the process's connections are shared by requests. Without prepared statements, no
 * connections are shared, because a pooler that does not support them might not support pipelining either. A
 * serverless function also shares no connections, because it must close all connections before it is frozen.
 */
const sharedCount = (): number => (config().preparesStatements && !config().functions ? 2 : 0)

/**
 * Returns how many of `all` connections are reserved for token requests: a third of them, rounded down.
 * Returns 0 if there are fewer than six connections, or in a serverless function, which serves few requests
 * at a time.
 */
const tokenCount = (all: number): number => (all < 6 || config().functions ? 0 : Math.floor(all / 3))

/**
 * Creates a pool whose connections are monitored. If prepared statements are disabled, its connections send
 * statements without names.
 * @param name the pool's name in metrics
 */
function makePool(name: string, max: number): pg.Pool {
  // Read the settings now, as the pool's other settings. A connection can open later, while a test changes
  // the environment.
  const silence = silenceMs()
  const { preparesStatements } = config()
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
    watchConnection(client, silence, () => !lent.has(client))
    if (!preparesStatements) sendUnnamed(client)
    // Call this after `sendUnnamed`, so that metrics and traces still show the names of statements that are
    // sent without a name.
    watchStatements(client)
  })
  watchPool(made, name)
  // Without this listener, the process would end if the server closed an idle connection. The next query
  // opens another connection.
  made.on('error', logLostConnection)
  return made
}

/**
 * Returns the process's main connection pool, which Prisma also uses. In a serverless function, each call
 * also ensures that the connections close before the function is frozen.
 */
export function pool(): pg.Pool {
  const opened = remember('pg-pool', () => {
    const { DATABASE_POOL: all } = config()
    return makePool('main', Math.max(1, all - sharedCount() - tokenCount(all)))
  })
  if (config().functions) closeBeforeFreeze(opened)
  return opened
}

/**
 * Returns the pool for writes by token requests. If this process shares no connections, reads by key also use
 * this pool. All other statements of pages and sign-ins use the main pool, so slow pages and sign-ins cannot
 * delay token requests. If `tokenCount` is 0, returns the main pool. See ADR 0034.
 */
export function tokenPool(): pg.Pool {
  const max = tokenCount(config().DATABASE_POOL)
  return max === 0 ? pool() : remember('pg-token-pool', () => makePool('token', max))
}

/**
 * Returns the shared connections for reads by key, or undefined if this process shares no connections. See
 * ADR 0034.
 */
export const sharedConnections = (): SharedConnections | undefined =>
  remember('pg-shared', () => {
    const count = sharedCount()
    return count === 0 ? undefined : new SharedConnections(count, makeShared)
  })

function makeShared(): pg.Client {
  const client = new PrimaryClient({
    ...connectionSettings(),
    pipeline: true,
    // An unresponsive connection would delay all requests that share it. After this time, the driver fails
    // the current statement and all queued ones.
    query_timeout: silenceMs(),
  })
  watchStatements(client)
  return client
}

/**
 * Closes the connections of the process's pools and the shared connections, each after its pending work has
 * completed.
 */
export const endConnections = async (): Promise<void> => {
  const pools = [...new Set([pool(), tokenPool()])].map((each) => each.end())
  await Promise.all([...pools, sharedConnections()?.end()])
}

/**
 * Keeps the serverless function from being frozen until the pool has closed all its connections. A frozen
 * function can neither close a connection nor detect that the server closed it.
 */
function closeBeforeFreeze(opened: pg.Pool): void {
  const state = remember<{ closing?: Promise<void> }>('pg-pool-closing', () => ({}))
  state.closing ??= (async () => {
    do await sleep(500)
    while (opened.totalCount > 0)
    state.closing = undefined
  })()
  keepAwake(state.closing)
}

/**
 * Makes a connection send every statement without a name, for poolers that assign a different server
 * connection to each statement and do not track names. PostgreSQL then plans each statement every time it
 * runs. See ADR 0034.
 * @param client a connected client
 */
function sendUnnamed(client: pg.ClientBase): void {
  // Look up the driver's method at each call, so that a spy on the driver also sees these statements.
  const query = (...all: unknown[]): unknown =>
    Reflect.apply(Object.getPrototypeOf(client).query, client, all)
  // The driver's query has ten overloads. All of them take the statement as the first argument.
  const unnamed = (statement: unknown, ...rest: unknown[]) => {
    if (typeof statement === 'object' && statement !== null) Object.assign(statement, { name: undefined })
    return query(statement, ...rest)
  }
  client.query = unnamed as typeof client.query
}

/** The driver's error message when `query_timeout` has elapsed. */
const timedOut = 'Query read timeout'

/**
 * A shared connection. `opening` resolves when the connection is open, and is undefined after that. `failed`
 * is called with each error that a statement on the connection throws.
 */
type Slot = {
  client: pg.Client
  opening: Promise<unknown> | undefined
  failed: (error: unknown) => void
}

/**
 * A few connections that many requests use at the same time. Each connection is opened on first use. Sharing
 * avoids taking a connection from a pool and returning it, which is more expensive than sending a statement.
 * If a connection is lost, its pending statements fail, and another connection is opened when its turn comes
 * again. See ADR 0034.
 */
class SharedConnections {
  readonly #slots: (Slot | undefined)[]
  readonly #make: () => pg.Client
  #turn = 0

  /** @param make returns a connection that is not open yet and that pipelines statements */
  constructor(count: number, make: () => pg.Client) {
    this.#slots = new Array<Slot | undefined>(count).fill(undefined)
    this.#make = make
  }

  /** Returns the next connection in rotation, and begins to open the connection if necessary. */
  next(): Slot {
    this.#turn = (this.#turn + 1) % this.#slots.length
    return this.#slots[this.#turn] ?? this.#open(this.#turn)
  }

  #open(index: number): Slot {
    const client = this.#make()
    const clear = () => {
      if (this.#slots[index] === slot) this.#slots[index] = undefined
    }
    const opening = client.connect().then(
      () => {
        slot.opening = undefined
        trackConnection(client, () => true, clear)
      },
      (error) => {
        clear()
        throw error
      },
    )
    const failed = (error: unknown) => {
      if ((error as Error).message !== timedOut) return
      clear()
      closeIdleConnections(client, silenceMs())
    }
    const slot: Slot = { client, opening, failed }
    client.on('end', clear)
    client.on('error', (error) => {
      clear()
      logLostConnection(error)
    })
    this.#slots[index] = slot
    return slot
  }

  /** Closes the connections after their pending statements have completed. */
  async end(): Promise<void> {
    const slots = this.#slots.filter((slot) => slot !== undefined)
    this.#slots.fill(undefined)
    await Promise.all(
      slots.map(async ({ client, opening }) => {
        await opening?.catch(() => undefined)
        await client.end()
      }),
    )
  }
}
