/**
 * One instance per process of something costly, although Next bundles a module once more than server.ts does.
 * @param name unique in the product
 * @param create makes the value on first use
 */
export function remember<T>(name: string, create: () => T): T {
  const store = (globalThis as { __latchkey?: Map<string, unknown> }).__latchkey ?? new Map<string, unknown>()
  ;(globalThis as { __latchkey?: Map<string, unknown> }).__latchkey = store
  if (!store.has(name)) store.set(name, create())
  return store.get(name) as T
}
