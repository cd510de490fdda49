import { outsideRequests } from './request-scope'

/** So long equal entries are summed up, in milliseconds. */
const windowMs = 30_000

/** Kinds of entries that are looked out for at a time; beyond that each is written. */
const mostKinds = 1_000

/**
 * Sums up what would be written again and again: of equal entries the first is written, and after 30 seconds how many more
 * there were, for as long as they come.
 * @param tell writes the sum of one kind
 */
export function sumUp<Entry>(tell: (entry: Entry, repeated: number, seconds: number) => void) {
  const kinds = new Map<string, { entry: Entry; since: number; repeated: number }>()

  function told(kind: string): void {
    const known = kinds.get(kind)
    if (!known || known.repeated === 0) {
      kinds.delete(kind)
      return
    }
    tell(known.entry, known.repeated, Math.round((Date.now() - known.since) / 1000))
    Object.assign(known, { repeated: 0, since: Date.now() })
    wait(kind)
  }

  // What set it off is over by then.
  const wait = (kind: string) => outsideRequests(() => setTimeout(() => told(kind), windowMs).unref())

  return {
    /** @returns whether an entry is the first of its kind, to be written now; it is counted otherwise */
    isFirst(kind: string, entry: Entry): boolean {
      const known = kinds.get(kind)
      if (known) known.repeated++
      else if (kinds.size < mostKinds) {
        kinds.set(kind, { entry, since: Date.now(), repeated: 0 })
        wait(kind)
      }
      return known === undefined
    },
    /** Tells every sum, for the end of the process. */
    settle(): void {
      for (const { entry, repeated, since } of kinds.values())
        if (repeated > 0) tell(entry, repeated, Math.round((Date.now() - since) / 1000))
      kinds.clear()
    },
  }
}
