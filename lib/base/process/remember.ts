import { LRUCache } from 'lru-cache'

/**
 * Returns the one value of a name in this process. A variable of a module would exist twice, because Next bundles modules that
 * server.ts also loads.
 * @param name unique in the product
 * @param create creates the value on first use
 */
export function remember<T>(name: string, create: () => T): T {
  shared.__latchkey ??= new Map()
  const store = shared.__latchkey
  const known = store.get(name)
  if (known !== undefined || store.has(name)) return known as T
  const created = create()
  store.set(name, created)
  return created
}

const shared = globalThis as { __latchkey?: Map<string, unknown> }

/**
 * Returns the function with its results cached by argument. When the cache is full, the result unused for the longest time
 * makes room, so a flood of new arguments does not evict those in constant use.
 * @param most how many results are kept
 * @param longest arguments with more characters are not cached, which bounds the memory of the keys
 */
export function cacheResults<Result extends NonNullable<unknown>>(
  most: number,
  make: (argument: string) => Result,
  longest = 20_000,
): (argument: string) => Result {
  const kept = new LRUCache<string, Result>({ max: most })
  return (argument) => {
    const known = kept.get(argument)
    if (known !== undefined) return known
    const made = make(argument)
    if (argument.length <= longest) kept.set(argument, made)
    return made
  }
}
