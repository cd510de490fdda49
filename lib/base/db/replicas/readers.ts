import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { config } from '@/lib/base/config/env'
import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { within } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'
import { tellLost } from '../database-errors'
import { sendUnnamed } from '../named-statements'
import { connectionSettings, PrimaryClient } from '../primary'
import { Replica, type ReplicaUse } from './replica'

/**
 * How long a replica may be asked after a mark that it shows was written, in milliseconds: what was committed before the mark is
 * there too. It is no setting: every process must reckon with the same, whatever its settings.
 */
const freshMs = 3_000

/** Clocks may run differently by this much in that time, in milliseconds. */
const driftMs = 100

/** How often a mark is written, in milliseconds. */
const beatMs = 1_000

/** For how long it is known what a replica lacks, in marks that are `beatMs` apart. */
const keptBeats = 600

/** A mark on the primary: its number, when it was sent, and the replicas that any process announced to be asking. */
type Mark = { turn: number; announced: string[] }

/** A mark that may still vouch for the replicas that it announced. */
type Sent = { at: number; uses: Set<string> }

/** A replica as this process finds it. */
type ReplicaReport = { name: string; use: ReplicaUse; behindMs: number }

/**
 * Which replicas this process may read from, and what it and the others owe to each other:
 * - it asks a replica for `freshMs` after the sending of a mark that the replica shows, if it had announced with that mark, and
 *   with each since, that it does;
 * - whoever takes something away writes a mark afterwards, and waits until each replica that anybody announces shows it, or
 *   until whoever did not see it must have stopped to ask.
 * See decision 151.
 */
class Readers {
  readonly #process = randomUUID()
  readonly replicas: readonly Replica[]
  readonly #sent = new Map<number, Sent>()
  readonly #beats: { turn: number; at: number }[] = []
  #turn = 0
  #next = 0
  #primary: Promise<PrimaryClient> | undefined
  #marking: Promise<Mark> | undefined
  #following: Promise<Mark> | undefined
  #watching: NodeJS.Timeout | undefined

  constructor(addresses: string[]) {
    this.replicas = addresses.map(
      (address) => new Replica(address, this.#process, (replica, turn) => this.#saw(replica, turn)),
    )
  }

  /** Looks after the replicas from now on. */
  watch(): void {
    if (this.#watching) return
    outsideRequests(() => {
      this.#watching = setInterval(() => this.#beat(), beatMs).unref()
      this.#beat()
    })
  }

  /** A replica that may be asked now. They take turns. */
  choose(): Replica | undefined {
    const fresh = this.replicas.filter((replica) => replica.isFresh())
    this.#next = (this.#next + 1) % Math.max(1, fresh.length)
    return fresh[this.#next]
  }

  /**
   * What there is to tell an operator about each replica.
   * @returns by how much it is behind: since when it lacks something, or how late it showed the last it was asked for
   */
  report(): ReplicaReport[] {
    return this.replicas.map((replica) => {
      const lacks = this.#beats.find(({ turn }) => turn > replica.shownTurn)
      const lacksMs = lacks ? performance.now() - lacks.at : 0
      return {
        name: replica.name,
        use: replica.use(),
        behindMs: Math.round(Math.max(replica.delayMs, lacksMs)),
      }
    })
  }

  /**
   * Waits, after something was committed, until no replica that is asked by anybody lacks it. It takes as long as the replicas are
   * late, and never longer than a replica may be asked without being looked at.
   */
  async settled(): Promise<void> {
    const until = performance.now() + freshMs + driftMs
    try {
      const { turn, announced } = await within(until - performance.now(), this.#mark())
      const shown = Promise.all(
        announced.map((name) => {
          const replica = this.replicas.find((each) => each.name === name)
          return replica ? replica.shows(turn, until) : waitUntil(until)
        }),
      )
      // One that is silent would be waited for until its connection is given up.
      await Promise.race([shown, sleep(until - performance.now(), undefined, { ref: false })])
    } catch {
      await waitUntil(until)
    }
  }

  #beat(): void {
    for (const replica of this.replicas) {
      if (replica.freshUntil > 0 && !replica.isFresh()) replica.leaveOut()
    }
    this.#mark().then(
      ({ turn }) => {
        const until = performance.now() + beatMs
        for (const replica of this.replicas) void replica.shows(turn, until)
      },
      // The primary does not answer: whoever needs it tells.
      () => undefined,
    )
  }

  /** A mark that is sent from now on: several who ask while one is under way share the next. */
  #mark(): Promise<Mark> {
    if (!this.#marking) {
      this.#marking = this.#write().finally(() => {
        this.#marking = undefined
      })
      return this.#marking
    }
    this.#following ??= this.#marking.then(
      () => this.#follow(),
      () => this.#follow(),
    )
    return this.#following
  }

  #follow(): Promise<Mark> {
    this.#following = undefined
    return this.#mark()
  }

  async #write(): Promise<Mark> {
    const at = performance.now()
    const worthy = this.replicas.filter((replica) => replica.isFresh() || at < replica.worthyUntil)
    const uses = worthy.map(({ name }) => name)
    this.#turn += 1
    const turn = this.#turn
    for (const [earlier, sent] of this.#sent) {
      if (sent.at < at - freshMs) this.#sent.delete(earlier)
      for (const name of sent.uses) if (!uses.includes(name)) sent.uses.delete(name)
    }
    this.#sent.set(turn, { at, uses: new Set(uses) })
    if (at >= (this.#beats.at(-1)?.at ?? 0) + beatMs) this.#beats.push({ turn, at })
    if (this.#beats.length > keptBeats) this.#beats.shift()
    try {
      const client = await this.#connected()
      const { rows } = await client.query<{ others: string[] | null }>(writeMark, [this.#process, turn, uses])
      return { turn, announced: [...new Set([...uses, ...(rows[0]?.others ?? [])])] }
    } catch (error) {
      void this.#primary?.then((client) => client.end()).catch(() => undefined)
      this.#primary = undefined
      throw error
    }
  }

  /** A connection of its own: those who wait for a mark hold those of the pool. */
  #connected(): Promise<PrimaryClient> {
    this.#primary ??= (async () => {
      const client = new PrimaryClient({ ...connectionSettings(), query_timeout: freshMs })
      client.on('error', (error) => {
        this.#primary = undefined
        tellLost(error)
      })
      if (!config().DATABASE_PREPARED) sendUnnamed(client)
      await client.connect()
      return client
    })()
    return this.#primary
  }

  /** A replica shows a mark of this process. */
  #saw(replica: Replica, turn: number): void {
    const isNewest = turn > replica.shownTurn
    replica.shownTurn = turn
    const sent = this.#sent.get(turn)
    if (!sent) return
    if (isNewest) replica.delayMs = performance.now() - sent.at
    const until = sent.at + freshMs
    const isNew = performance.now() >= replica.worthyUntil
    replica.worthyUntil = Math.max(replica.worthyUntil, until)
    if (sent.uses.has(replica.name)) {
      if (replica.freshUntil === 0 && until > performance.now()) {
        log.info('a read replica is up to date, and is asked', { name: replica.name })
      }
      replica.freshUntil = Math.max(replica.freshUntil, until)
    } else if (isNew && this.#watching) {
      this.#beat()
    }
  }

  /** Closes all connections. */
  async end(): Promise<void> {
    clearInterval(this.#watching)
    this.#watching = undefined
    const primary = this.#primary
    this.#primary = undefined
    await Promise.all(this.replicas.map((replica) => replica.end()))
    await primary?.then((client) => client.end()).catch(() => undefined)
  }
}

const waitUntil = (until: number): Promise<void> => sleep(Math.max(0, until - performance.now()))

/**
 * A process has one row, in which numbers only rise. Those that have said nothing for a minute have ended, or may ask nothing any
 * more.
 */
const writeMark = `
  WITH gone AS (
    DELETE FROM database_readers WHERE process IN (
      SELECT process FROM database_readers WHERE seen_at < now() - interval '10 minutes' FOR UPDATE SKIP LOCKED))
  INSERT INTO database_readers AS r (process, turn, uses, seen_at) VALUES ($1::uuid, $2, $3::text[], now())
  ON CONFLICT (process) DO UPDATE SET turn = excluded.turn, uses = excluded.uses, seen_at = excluded.seen_at
    WHERE r.turn < excluded.turn
  RETURNING (SELECT array_agg(DISTINCT name) FROM database_readers o, unnest(o.uses) name
              WHERE o.process <> $1::uuid AND o.seen_at > now() - interval '1 minute') AS others`

/** What this process knows of the replicas. */
export const readers = (): Readers =>
  remember('database-readers', () => new Readers(config().DATABASE_REPLICA_URL))
