import { remember } from './remember'
import { type Settling, settleLater } from './settle-later'

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
 * last writing. What could not be written stays gathered and is tried again (settle-later.ts).
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
  const state = () => remember(`gathered ${name}`, () => ({ items: new Map<string, Item>() }))

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
