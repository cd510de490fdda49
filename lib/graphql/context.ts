import DataLoader from 'dataloader'
import type { Page } from '@/lib/db/keyset'
import type { Actor } from '@/lib/policy/actor'
import type { Caller } from '@/lib/policy/bearer'

/** What every resolver gets: who asks, and the name of this request in the logs. One object per request. */
export type GraphQLContext = { traceId: string; caller: Caller; actor: Actor }

type LoadMany<Value> = (actor: Actor, keys: readonly string[]) => Promise<readonly (Value | Error)[]>

/**
 * Batches the reads of one field over all rows of a request, so that a list costs one statement however long it is.
 * @param loadMany reads the values of several keys, in the keys' order; an Error in a value's place concerns that key only
 * @returns the loader of a request; each request has its own, so nothing is kept longer or shared between callers
 */
export function defineLoader<Value>(
  loadMany: LoadMany<Value>,
): (context: GraphQLContext) => DataLoader<string, Value> {
  const loaders = new WeakMap<GraphQLContext, DataLoader<string, Value>>()
  return (context) => {
    let loader = loaders.get(context)
    if (!loader) {
      loader = new DataLoader((keys) => loadMany(context.actor, keys))
      loaders.set(context, loader)
    }
    return loader
  }
}

/** The same for a connection: rows that ask for the same page share a statement. */
export function definePageLoader<Value>(
  loadMany: (actor: Actor, keys: readonly string[], page: Page) => Promise<readonly (Value | Error)[]>,
): (context: GraphQLContext, page: Page) => DataLoader<string, Value> {
  const requests = new WeakMap<GraphQLContext, Map<string, DataLoader<string, Value>>>()
  return (context, page) => {
    const pages = requests.get(context) ?? new Map<string, DataLoader<string, Value>>()
    requests.set(context, pages)
    const name = JSON.stringify(page)
    const loader = pages.get(name) ?? new DataLoader((keys) => loadMany(context.actor, keys, page))
    pages.set(name, loader)
    return loader
  }
}
