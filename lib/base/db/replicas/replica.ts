import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { config } from '@/lib/base/config/env'
import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { isOutage } from '../database-errors'
import { runNamed, sendUnnamed } from '../named-statements'
import { connectionSettings, idleMs, silenceMs } from '../primary'
import { SharedConnections } from '../shared-connections'
import { watchConnection, watchPool, watchStatements } from '../watch'
import { ReplicaClient } from './replica-client'

/** Waits until the replica shows a mark, or gives up. */
type Waiter = { turn: number; until: number; done: (shown: boolean) => void }

/** Whether this process reads from a replica; if not, whether it answers at all. */
export type ReplicaUse = 'in-use' | 'left-out' | 'unreachable'

/** How long it may take to say what it shows, in milliseconds. */
const answerMs = 2_000

/** The longest pause between two looks, and that after one that failed, in milliseconds. */
const mostPauseMs = 50
const failedPauseMs = 500

/** One standby that serves what only reads, as this process knows it. */
export class Replica {
  readonly name: string
  /** Until when it may be asked, as `performance.now()` counts (readers.ts). */
  freshUntil = 0
  /** Until when it is worth being announced as one that is asked: it has shown a mark a moment ago. */
  worthyUntil = 0
  /** How long it took until it showed the latest mark that it showed in time, in milliseconds. */
  delayMs = 0
  /** The latest mark that it has shown. */
  shownTurn = 0
  #answers: boolean | undefined
  readonly #address: string
  readonly #process: string
  readonly #saw: (replica: Replica, turn: number) => void
  readonly #open = new Set<ReplicaClient>()
  readonly #waiting = new Set<Waiter>()
  #server: string | undefined
  #looking: Promise<ReplicaClient> | undefined
  #pool: pg.Pool | undefined
  #shared: SharedConnections | undefined

  /**
   * @param process the name under which this process writes its marks
   * @param saw is told each mark that it shows
   */
  constructor(address: string, process: string, saw: (replica: Replica, turn: number) => void) {
    const { host, pathname } = new URL(address)
    this.name = host + pathname
    this.#address = address
    this.#process = process
    this.#saw = saw
  }

  isFresh(): boolean {
    return performance.now() < this.freshUntil
  }

  use(): ReplicaUse {
    if (this.isFresh()) return 'in-use'
    return this.#answers === false ? 'unreachable' : 'left-out'
  }

  /** A read by key (shared-reads.ts). @returns undefined where it could not be answered: the primary is to be asked */
  async readByKey<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[] | undefined> {
    const shared = this.#sharedConnections()
    return this.#try(() =>
      shared.count > 0
        ? shared.run<Row>(name, text, values)
        : runNamed<Row>(this.#connections(), name, text, values),
    )
  }

  /** Any other named read. @returns as readByKey */
  read<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[] | undefined> {
    return this.#try(() => runNamed<Row>(this.#connections(), name, text, values))
  }

  /** A read as the driver takes it. @returns as readByKey */
  query(...statement: unknown[]): Promise<pg.QueryResult | undefined> {
    const ask = this.#connections().query as (...all: unknown[]) => Promise<pg.QueryResult>
    return this.#try(() => ask.apply(this.#connections(), statement))
  }

  /** What a replica cannot answer (it is gone, it had to end the statement to go on, it lacks a table yet) the primary can. */
  async #try<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read()
    } catch (error) {
      // A statement that takes too long takes as long there.
      if ((error as { code?: unknown }).code === '57014') throw error
      if (isOutage(error)) this.leaveOut(error)
      return undefined
    }
  }

  /**
   * Waits until it shows a mark.
   * @param until when nobody waits any more, as `performance.now()` counts
   * @returns whether it does
   */
  shows(turn: number, until: number): Promise<boolean> {
    return new Promise((done) => {
      const first = this.#waiting.size === 0
      this.#waiting.add({ turn, until, done })
      if (first) void outsideRequests(() => this.#look())
    })
  }

  /** Asks what it shows, again and again, for as long as somebody waits. */
  async #look(): Promise<void> {
    for (let pause = 1; ; pause = Math.min(pause * 2, mostPauseMs)) {
      const shown = await this.#shown().catch((error) => this.leaveOut(error))
      this.#answers = shown !== undefined
      if (shown !== undefined) this.#saw(this, shown)
      const now = performance.now()
      for (const waiter of [...this.#waiting]) {
        const isShown = shown !== undefined && shown >= waiter.turn
        if (!isShown && now < waiter.until) continue
        this.#waiting.delete(waiter)
        waiter.done(isShown)
      }
      if (this.#waiting.size === 0) return
      await sleep(shown === undefined ? failedPauseMs : pause)
    }
  }

  /** The latest mark of this process that it shows. */
  async #shown(): Promise<number> {
    this.#looking ??= this.#lookingClient()
    const client = await this.#looking
    const rows = await runNamed<{ turn: number }>(
      client,
      'replica-shows',
      'SELECT turn FROM database_readers WHERE process = $1::uuid',
      [this.#process],
    )
    return rows[0]?.turn ?? 0
  }

  async #lookingClient(): Promise<ReplicaClient> {
    const client = this.#client({
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      meets: (server) => {
        if (this.#server !== undefined && this.#server !== server) this.leaveOut()
        this.#server = server
      },
    })
    if (!config().DATABASE_PREPARED) sendUnnamed(client)
    await client.connect()
    return client
  }

  /**
   * Has it asked nothing more until it shows a new mark. What is under way is asked on the primary at once, however long a lost
   * server would be silent.
   */
  leaveOut(error?: unknown): undefined {
    if (this.freshUntil > 0) {
      outsideRequests(() =>
        log.warn('a read replica is left out until it is up to date', { name: this.name, error }),
      )
    }
    this.freshUntil = 0
    this.worthyUntil = 0
    this.#looking = undefined
    for (const client of this.#open) client.abandon()
    return undefined
  }

  /** Another server than the one whose marks were seen may show anything. */
  #expect = (server: string): void => {
    if (server !== this.#server) throw new Error('the address leads to another server than a moment ago')
  }

  #client(more: ConstructorParameters<typeof ReplicaClient>[0]): ReplicaClient {
    const client = new ReplicaClient({ ...connectionSettings(undefined, this.#address), ...more })
    this.#open.add(client)
    client.on('error', () => undefined)
    client.once('end', () => this.#open.delete(client))
    return client
  }

  #sharedConnections(): SharedConnections {
    this.#shared ??= new SharedConnections(config().DATABASE_PREPARED ? 2 : 0, () => {
      const client = this.#client({ pipeline: true, query_timeout: silenceMs(), meets: this.#expect })
      watchStatements(client)
      return client
    })
    return this.#shared
  }

  #connections(): pg.Pool {
    if (this.#pool) return this.#pool
    const client = () => this.#client({ meets: this.#expect })
    const made = new pg.Pool({
      // Called as a constructor, which may return what it likes.
      Client: function make() {
        return client()
      } as unknown as new () => pg.ClientBase,
      max: Math.max(1, Math.floor(config().DATABASE_POOL / 2)),
      connectionTimeoutMillis: answerMs,
      idleTimeoutMillis: idleMs(),
    })
    made.on('connect', (opened) => {
      watchConnection(opened, silenceMs())
      if (!config().DATABASE_PREPARED) sendUnnamed(opened)
      watchStatements(opened)
    })
    made.on('error', () => undefined)
    watchPool(made, 'replica')
    this.#pool = made
    return made
  }

  /** Closes its connections. */
  async end(): Promise<void> {
    this.freshUntil = 0
    await Promise.all([this.#pool?.end(), this.#shared?.end()])
    for (const client of this.#open) client.abandon()
  }
}
