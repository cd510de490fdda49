import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstIdAt } from '@/lib/base/db/paging'
import { onTopicChange, type Topic } from './listener'

/**
 * The rows to read from a feed: all rows from the ID `from` on, except those with the IDs in `without`, and
 * the rows with the IDs in `besides`, which can be earlier than `from`.
 */
export type Window = { from: string; without: string[]; besides: string[] }

/** A feed whose rows a caller (`Who`) can follow as they are written. */
export type Feed<Who, Row extends { id: string }> = {
  topic: Topic
  /** Checks the caller's current permissions. @throws an error if the caller cannot read the feed */
  allow: (who: Who) => Promise<unknown>
  /** Returns up to `limit` rows of the window, ordered by ID. */
  read: (who: Who, window: Window, limit: number) => Promise<Row[]>
  /** Returns the current state of a row, and whether this state is final. Undefined if rows do not change. */
  stateOf?: (row: Row) => { state: string; isLast: boolean }
}

/**
 * The maximum time between the creation of a row's ID and the time at which other transactions can read the
 * row, in milliseconds. It allows for long transactions and for differences between the clocks of servers.
 */
const lateMs = 30_000

/** The interval at which a follower polls if it receives no notification, in milliseconds. */
const lookMs = 5_000
/**
 * The pause after a read that returns less than a full page, in milliseconds. After a full page, there is no
 * pause.
 */
const restMs = 100

const pageSize = 100

/** The maximum number of IDs of recent rows that a follower keeps. */
const mostKnown = 5_000
/** The maximum number of rows whose state is not final and for which a follower tracks changes. */
const mostOpen = 200

/** A follower of a feed, and the follower's position in the feed. */
export class Following<Who, Row extends { id: string }> {
  readonly #feed: Feed<Who, Row>
  readonly #done = new Set<string>()
  readonly #open = new Map<string, string>()
  #from: string

  private constructor(feed: Feed<Who, Row>, from: string) {
    this.#feed = feed
    this.#from = from
  }

  /**
   * Returns a follower that starts now or after a given row. If the follower starts now, first reads the rows
   * of the last `lateMs` milliseconds, because the follower must not yield them.
   * @param after the ID of the last row that the caller has received; undefined or null to start now
   * @throws the error that `allow` throws
   */
  static async begin<Who, Row extends { id: string }>(feed: Feed<Who, Row>, who: Who, after?: string | null) {
    const following = new Following(feed, after ?? firstIdAt(new Date(Date.now() - lateMs)))
    if (after) {
      following.#done.add(after)
      await feed.allow(who)
    } else {
      while ((await following.#read(who)).length >= pageSize);
    }
    return following
  }

  /**
   * Yields new rows, and rows again whenever their state changes, until following ends.
   * @param who returns the caller; called before each read and before each further row of a read. If `who` or
   * `allow` throws an error, the iteration throws it too.
   * @param ended a signal that ends the iteration
   */
  async *rows(who: () => Promise<Who>, ended: AbortSignal): AsyncGenerator<Row, void> {
    let rung = true
    let wake = () => {}
    const stop = onTopicChange(this.#feed.topic, () => {
      rung = true
      wake()
    })
    try {
      while (!ended.aborted) {
        if (!rung)
          await waitFor((woken) => {
            wake = woken
          }, ended)
        rung = false
        if (ended.aborted) return
        const rows = await this.#read(await who())
        for (const [at, row] of rows.entries()) {
          // Check the permissions again, because a slow consumer can take a row long after it was read.
          if (at > 0) await this.#feed.allow(await who())
          yield row
        }
        if (rows.length >= pageSize) rung = true
        else await sleep(restMs)
      }
    } finally {
      stop()
    }
  }

  #window(): Window {
    return { from: this.#from, without: [...this.#done], besides: [...this.#open.keys()] }
  }

  /**
   * Reads the rows of the window, stores their IDs, and moves the window.
   * @returns the rows that are new or have a new state
   * @throws the error that `allow` throws
   */
  async #read(who: Who): Promise<Row[]> {
    await this.#feed.allow(who)
    const read = await this.#feed.read(who, this.#window(), pageSize + this.#open.size)
    // Check the permissions again, because the caller could have lost them between the first check and the
    // read.
    if (read.length > 0) await this.#feed.allow(who)
    const fresh = read.filter((row) => this.#note(row))
    this.#moveOn()
    return fresh
  }

  /**
   * Stores a row's ID and state. Stops tracking the first rows if there are more than `mostOpen`.
   * @returns whether the row or its state is new
   */
  #note(row: Row): boolean {
    const { state, isLast } = this.#feed.stateOf?.(row) ?? { state: '', isLast: true }
    const isNew = this.#open.get(row.id) !== state && !this.#done.has(row.id)
    this.#open.delete(row.id)
    if (isLast) this.#done.add(row.id)
    else this.#open.set(row.id, state)
    for (const id of this.#open.keys()) {
      if (this.#open.size <= mostOpen) break
      this.#open.delete(id)
    }
    return isNew
  }

  /**
   * Moves the start of the window forward and drops the IDs of earlier rows. Rows that are more than `lateMs`
   * older than the latest row with a final state leave the window, because no other rows of that age can
   * still appear. If more than `mostKnown` IDs are stored, the oldest rows leave the window too.
   */
  #moveOn(): void {
    const ids = [...this.#done].sort()
    const latest = ids.at(-1)
    if (!latest) return
    const since = firstIdAt(new Date(Number.parseInt(latest.replaceAll('-', '').slice(0, 12), 16) - lateMs))
    const surplus = ids.at(-mostKnown - 1) ?? since
    for (const bound of [since, surplus]) if (bound > this.#from) this.#from = bound
    for (const id of ids) if (id < this.#from) this.#done.delete(id)
  }
}

/** Resolves when the follower is woken, the polling interval has elapsed, or following has ended. */
async function waitFor(onWake: (woken: () => void) => void, ended: AbortSignal): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([
    new Promise<void>((woken) => onWake(woken)),
    sleep(lookMs, undefined, { signal }).catch(() => undefined),
    ended.aborted || once(ended, 'abort', { signal }).catch(() => undefined),
  ])
  over.abort()
}
