import { log } from '@/lib/base/log/log'
import { outsideRequests } from '@/lib/base/log/request-scope'
import { isFrozenWhenIdle, keepAwake, onShutdown } from './background'
import { remember } from './remember'

/** Values that requests record in memory and batches write to the database. */
export type Collector<Item> = Settling & {
  /** Adds an item under a key and schedules the write. */
  add: (key: string, item: Item) => void
  /** Returns the unwritten item of a key. */
  pending: (key: string) => Item | undefined
  /** The number of keys that wait to be written. */
  size: () => number
}

/**
 * The maximum number of keys. Clients can invent some of them, so further ones are dropped to limit the
 * memory.
 */
const mostKeys = 10_000

/**
 * Defines values that requests only record in memory. No request waits for the write, and a crash loses the
 * values since the last one. Failed writes are retried.
 * @param name unique in the product, and for the log
 * @param options.afterMs how long values can wait, in milliseconds
 * @param options.merge combines two items of a key, the earlier one first; can modify and return it
 * @param options.write writes the items, with as few statements as there are tables; never called without
 * items
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

/** Writes values from memory in batches. */
export type Settling = {
  /**
   * Schedules a write. A function, which can be frozen before then, writes immediately, together with values
   * recorded during the previous write.
   */
  soon: () => void
  /** Writes now. Resolves when all earlier values are written. @throws what the write throws */
  now: () => Promise<void>
}

/**
 * Defines how values in memory reach the database: after a delay, before a read, and at the end of the
 * process. Only one write runs at a time; a failed one is logged and retried after the same delay.
 * @param name unique in the product, and for the log
 * @param afterMs how long values can wait, in milliseconds
 * @param write writes all values; does nothing if there are none; keeps or drops what it cannot write
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
    // Many requests share the timer, so it belongs to none of them.
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
    // A read also waits for the write that is running. Its failure is reported to its own caller.
    current.last = current.last.catch(() => undefined).then(write)
    return current.last
  }

  return { soon, now }
}
