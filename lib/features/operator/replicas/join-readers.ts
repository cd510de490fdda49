import type { ListedReplica } from './list-replicas'

/** A server of DATABASE_REPLICA_URL: how many processes read from it, leave it out, or cannot reach it. */
export type ListedReader = {
  name: string
  inUse: number
  leftOut: number
  unreachable: number
  /** By how much it is behind the primary, as the process finds it to which it is the latest, in milliseconds. */
  behindMs: number
}

/** What the processes that speak say of the read replicas, taken together: a row for each server, by name. */
export function joinReaders(replicas: readonly Pick<ListedReplica, 'silent' | 'readers'>[]): ListedReader[] {
  const found = new Map<string, ListedReader>()
  for (const { name, use, behindMs } of replicas.flatMap((each) => (each.silent ? [] : each.readers))) {
    const row = found.get(name) ?? { name, inUse: 0, leftOut: 0, unreachable: 0, behindMs: 0 }
    if (use === 'in-use') row.inUse++
    else if (use === 'left-out') row.leftOut++
    else row.unreachable++
    found.set(name, { ...row, behindMs: Math.max(row.behindMs, behindMs) })
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}
