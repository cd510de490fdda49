import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstIdAt } from '@/lib/base/db/paging'
import { onRing, type Topic } from './listener'

/** Which rows of a feed are wanted: those from an id on without some, and some of before. */
export type Window = { from: string; without: string[]; besides: string[] }

/** Rows that somebody may follow as they are written, whoever `Who` is. */
export type Feed<Who, Row extends { id: string }> = {
  topic: Topic
  /** Looks at the rights of this moment. @throws what keeps whoever asks from reading, or from reading any longer */
  allow: (who: Who) => Promise<unknown>
  /** Reads in the order of ids. */
  read: (who: Who, window: Window, limit: number) => Promise<Row[]>
  /** What tells one state of a row from the next; nothing of it changes where this is left out. */
  stateOf?: (row: Row) => { state: string; isLast: boolean }
}

/** How long after its id was made a row may appear: the longest transaction, and how far the clocks of processes differ. */
const lateMs = 30_000

/** How often a follower looks by itself, and how long it rests between two looks, in milliseconds. */
const lookMs = 5_000
const restMs = 100

const pageSize = 100

/** So many ids are kept in mind at most: of rows that appeared just now, and of rows that may still change. */
const mostKnown = 5_000
const mostOpen = 200

/** Where one follower stands. */
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
   * Begins to follow: with what is written from now on, or with what follows a row.
   * @param after the id of the last row that is known already
   * @throws what `allow` throws
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
   * The rows as they appear, for ever.
   * @param who says who follows, each time before anything is read; what it throws ends it, as what `allow` throws does
   * @param ended ends it without a word
   */
  async *rows(who: () => Promise<Who>, ended: AbortSignal): AsyncGenerator<Row, void> {
    let rung = true
    let wake = () => {}
    const stop = onRing(this.#feed.topic, () => {
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
          // A slow reader can take a row long after it was read: the rights of that moment count.
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

  /** Reads on, and remembers what was read. */
  async #read(who: Who): Promise<Row[]> {
    await this.#feed.allow(who)
    const read = await this.#feed.read(who, this.#window(), pageSize + this.#open.size)
    // What was written after the rights went is not told, not even when they went between the two.
    if (read.length > 0) await this.#feed.allow(who)
    const fresh = read.filter((row) => this.#note(row))
    this.#moveOn()
    return fresh
  }

  /** @returns whether the row, or this state of it, is new */
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

  /** Nothing can appear any more a while before the latest row. */
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

/** Until somebody wakes the follower, it is time to look, or it is over. */
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
