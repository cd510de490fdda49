import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { keepAwake } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { logLostConnection } from './database-errors'
import { connectionSettings, idleMs, PrimaryClient, silenceMs } from './primary'
import { closeIdleConnections, trackConnection, watchConnection, watchPool, watchStatements } from './watch'

/**
 * How many of `all` connections are shared. None without prepared statements, since a pooler that does not support them might
 * not support pipelining either; none in a function, which closes unused connections before it is frozen.
 */
const sharedCount = (): number => (config().preparesStatements && !config().functions ? 2 : 0)

/**
 * How many of `all` connections are reserved for token requests: a third. Fewer than six are not divided, nor those of a
 * function, which serves few requests at a time.
 */
const tokenCount = (all: number): number => (all < 6 || config().functions ? 0 : Math.floor(all / 3))

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
    if (!config().preparesStatements) sendUnnamed(client)
    // Comes second, so that metrics and traces still name a statement that is sent without its name.
    watchStatements(client)
  })
  watchPool(made, name)
  // An idle connection that the server closed is replaced on the next use; it must not end the process.
  made.on('error', logLostConnection)
  return made
}

/** Returns the connection pool of the process, which Prisma uses too. */
export function pool(): pg.Pool {
  const opened = remember('pg-pool', () => {
    const { DATABASE_POOL: all } = config()
    return makePool('main', Math.max(1, all - sharedCount() - tokenCount(all)))
  })
  if (config().functions) closeBeforeFreeze(opened)
  return opened
}

/**
 * Returns the pool for what token requests write. Pages and sign-ins cannot take its connections, however many there are.
 * See ADR 0034.
 */
export function tokenPool(): pg.Pool {
  const max = tokenCount(config().DATABASE_POOL)
  return max === 0 ? pool() : remember('pg-token-pool', () => makePool('token', max))
}

/** Returns the connections that reads by key share; undefined if this process shares none. See ADR 0034. */
export const sharedConnections = (): SharedConnections | undefined =>
  remember('pg-shared', () => {
    const count = sharedCount()
    return count === 0 ? undefined : new SharedConnections(count, makeShared)
  })

function makeShared(): pg.Client {
  const client = new PrimaryClient({
    ...connectionSettings(),
    pipeline: true,
    // A silent connection would delay everyone: after this time the driver gives up what it is waiting for and all behind it.
    query_timeout: silenceMs(),
  })
  watchStatements(client)
  return client
}

/** Closes every connection of the process to the database, each after the statements that wait on it are answered. */
export const endConnections = async (): Promise<void> => {
  const pools = [...new Set([pool(), tokenPool()])].map((each) => each.end())
  await Promise.all([...pools, sharedConnections()?.end()])
}

/** A frozen function can neither close a connection nor notice that the server closed it, so it waits until none is open. */
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
 * Makes a connection send every statement without its name, for poolers that lend another server connection to each statement
 * and do not track names. The server then plans each statement again. See ADR 0034.
 * @param client connected
 */
function sendUnnamed(client: pg.ClientBase): void {
  // Looked up at each call, so that a spy on the driver sees these statements too.
  const query = (...all: unknown[]): unknown =>
    Reflect.apply(Object.getPrototypeOf(client).query, client, all)
  // The driver's query has ten overloads; all of them take the statement first.
  const unnamed = (statement: unknown, ...rest: unknown[]) => {
    if (typeof statement === 'object' && statement !== null) Object.assign(statement, { name: undefined })
    return query(statement, ...rest)
  }
  client.query = unnamed as typeof client.query
}

/** The driver's message when `query_timeout` has passed. */
const timedOut = 'Query read timeout'

/** A shared connection. `opening` is pending until it is open; `failed` takes what a statement on it threw. */
type Slot = {
  client: pg.Client
  opening: Promise<unknown> | undefined
  failed: (error: unknown) => void
}

/**
 * A few connections that many requests use at the same time, each opened on first use. Taking a connection from a pool and
 * giving it back costs a request more than sending a statement. A lost connection fails the statements that wait on it; the
 * next statement opens another. See ADR 0034.
 */
class SharedConnections {
  readonly #slots: (Slot | undefined)[]
  readonly #make: () => pg.Client
  #turn = 0

  /** @param make returns a connection that is not open yet and pipelines what it sends */
  constructor(count: number, make: () => pg.Client) {
    this.#slots = new Array<Slot | undefined>(count).fill(undefined)
    this.#make = make
  }

  /** Returns the connections in rotation. */
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

  /** Closes the connections after the statements that wait on them are answered. */
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
