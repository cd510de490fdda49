import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { isFrozenWhenIdle, keepAwake, onShutdown } from './background'
import { remember } from './remember'

/** A collector of values that requests record in memory and that are written to the database in batches. */
export type Collector<Item> = Settling & {
  /** Adds an item under a key, or merges it with the key's pending item, and schedules a write. */
  add: (key: string, item: Item) => void
  /**
   * Returns the key's item that waits for the next write, or undefined if there is none. Items that are
   * currently being written are not included.
   */
  pending: (key: string) => Item | undefined
  /** Returns the number of keys whose items wait for the next write. */
  size: () => number
}

/**
 * The maximum number of keys whose items wait for the next write. Some keys contain values that clients
 * choose, so new keys beyond the maximum are dropped to limit memory use.
 */
const mostKeys = 10_000

/**
 * Defines a collector of values, which requests record only in memory. Requests do not wait until the values
 * are written. If the process crashes, the values since the last write are lost. If a write fails, its values
 * are kept for the next write.
 * @param name a name for the log that is unique in the codebase
 * @param options.afterMs the maximum delay of a write, in milliseconds
 * @param options.merge combines two items of a key; the first argument is the earlier item, which the
 * function can modify and return
 * @param options.write writes the items, with one statement per table; never called without items
 */
export function collect<Item>(
  name: string,
  options: {
    afterMs: number
    merge: (earlier: Item, later: Item) => Item
    write: (gathered: ReadonlyMap<string, Item>) => Promise<void>
  },
): Collector<Item> {
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

/** Functions that write values from memory in batches. */
export type Settling = {
  /**
   * Schedules a write, unless one is already scheduled. In a serverless function, which can be frozen before
   * the scheduled time, the write starts immediately or, if another write is running, directly after that
   * write.
   */
  soon: () => void
  /**
   * Writes now. Resolves when all earlier values have been written. @throws the error that the write throws
   */
  now: () => Promise<void>
}

/**
 * Defines when values in memory are written to the database: after a delay, before a read, and at the end of
 * the process. Only one write runs at a time. A scheduled write that fails is logged and, except in a
 * serverless function, retried after the same delay.
 * @param name a name for the log that is unique in the codebase
 * @param afterMs the maximum delay of a write, in milliseconds
 * @param write writes all values, or does nothing if there are none; the function decides whether to keep or
 * drop values that it cannot write
 */
export function settleLater(name: string, afterMs: number, write: () => Promise<void>): Settling {
  type State = { timer: NodeJS.Timeout | undefined; last: Promise<void> }
  const key = `settling ${name}`
  const state = () =>
    remember<State>(key, () => {
      onShutdown(name, now)
      return { timer: undefined, last: Promise.resolve() }
    })

  const tell = (error: unknown): void => log.warn('values in memory could not be written', { name, error })

  function soon(): void {
    if (isFrozenWhenIdle()) {
      keepAwake(now().catch(tell))
      return
    }
    // Run the timer outside the context of a request, because many requests share the timer.
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
    // Wait for the current write first, and ignore its error, which the caller of that write receives.
    current.last = current.last.catch(() => undefined).then(write)
    return current.last
  }

  return { soon, now }
}
