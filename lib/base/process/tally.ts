import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { isFrozenWhenIdle, keepAwake, onShutdown } from './background'
import { remember } from './remember'

/** What is counted or noted in memory while requests are answered, and reaches the database in batches. */
export type Gathering<Item> = Settling & {
  /** Adds to what is gathered under a key, and sees to it that it is written. */
  add: (key: string, item: Item) => void
  /** What is gathered under a key and waits to be written. */
  pending: (key: string) => Item | undefined
  /** How many keys wait to be written. */
  size: () => number
}

/**
 * A key more than this at a time is not gathered: anybody may make some of them up, and a flood of those takes no more
 * memory than this.
 */
const mostKeys = 10_000

/**
 * Defines something that requests only note in memory: no request waits for it, and a crash loses what was noted since the
 * last writing. What could not be written stays in memory and is tried again.
 * @param name unique in the product, and for the log
 * @param options.afterMs how long noted things may wait, in milliseconds
 * @param options.merge what two items under one key are together, the earlier one first; may change and return the earlier
 * @param options.write writes what was gathered, in as few statements as there are tables; never called with nothing
 */
export function gather<Item>(
  name: string,
  options: {
    afterMs: number
    merge: (earlier: Item, later: Item) => Item
    write: (gathered: ReadonlyMap<string, Item>) => Promise<void>
  },
): Gathering<Item> {
  const key = `gathered ${name}`
  const state = () => remember(key, () => ({ items: new Map<string, Item>() }))

  function put(key: string, item: Item, isEarlier: boolean): void {
    const { items } = state()
    const known = items.get(key)
    if (known !== undefined)
      items.set(key, isEarlier ? options.merge(item, known) : options.merge(known, item))
    else if (items.size < mostKeys) items.set(key, item)
  }

  const settling = settleLater(name, options.afterMs, async () => {
    const due = state().items
    if (due.size === 0) return
    state().items = new Map()
    try {
      await options.write(due)
    } catch (error) {
      for (const [key, item] of due) put(key, item, true)
      throw error
    }
  })

  return {
    ...settling,
    add(key, item) {
      put(key, item, false)
      settling.soon()
    },
    pending: (key) => state().items.get(key),
    size: () => state().items.size,
  }
}

/** Writes in batches what requests only note in memory. */
export type Settling = {
  /**
   * Writes a while from now, together with whatever else is noted until then. A function, which may be frozen until then,
   * writes at once, together with what is noted while it writes what was noted before.
   */
  soon: () => void
  /** Writes now; resolves when all that was noted before is written. @throws what writing throws */
  now: () => Promise<void>
}

/**
 * Defines how something that is noted in memory reaches the database: after a while, when somebody wants to read it, and
 * at the end of the process. One writing at a time; one that fails is told in the log and tried again after the same while.
 * @param name unique in the product, and for the log
 * @param afterMs how long noted things may wait, in milliseconds
 * @param write writes all that is noted, and nothing when nothing is; what it cannot write it leaves noted or gives up
 */
export function settleLater(name: string, afterMs: number, write: () => Promise<void>): Settling {
  type State = { timer: NodeJS.Timeout | undefined; last: Promise<void> }
  const key = `settling ${name}`
  const state = () =>
    remember<State>(key, () => {
      onShutdown(name, now)
      return { timer: undefined, last: Promise.resolve() }
    })

  const tell = (error: unknown): void =>
    log.warn('what was noted in memory could not be written', { name, error })

  function soon(): void {
    if (isFrozenWhenIdle()) {
      keepAwake(now().catch(tell))
      return
    }
    // Many requests share it, so that it belongs to none.
    state().timer ??= outsideRequests(() => setTimeout(settle, afterMs).unref())
  }

  const settle = () =>
    now().catch((error) => {
      tell(error)
      soon()
    })

  function now(): Promise<void> {
    const current = state()
    clearTimeout(current.timer)
    current.timer = undefined
    // Whoever settles in order to read waits for what is being written as well; that it failed is told to its own caller.
    current.last = current.last.catch(() => undefined).then(write)
    return current.last
  }

  return { soon, now }
}
