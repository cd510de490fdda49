import { LRUCache } from 'lru-cache'

/**
 * Returns the value that this process shares under a name. A module variable would exist twice, because Next
 * bundles second copies of modules that server.ts loads.
 * @param name a name that is unique in the codebase
 * @param create creates the value at first use
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
 * Returns a function that caches the results of another function by argument. When the cache is full, the
 * least recently used result is evicted. Results that are used constantly therefore stay in the cache even if
 * many new arguments are added.
 * @param most the maximum number of cached results
 * @param longest the maximum length of a cached argument, which limits the memory for the keys
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
