/** A query that somebody kept in this browser. */
export type SavedQuery = { name: string; query: string }

const most = 100
const longestName = 80

/**
 * The queries that a person saved, in the browser's storage alone; another person who signs in to it has their own.
 * @param storage of the browser; what it cannot take is not kept
 */
export function savedQueries(storage: Pick<Storage, 'getItem' | 'setItem'>, person: string | undefined) {
  const key = `latchkey.explorer.saved.${person ?? 'anyone'}`
  const read = (): SavedQuery[] => {
    try {
      const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isSaved) : []
    } catch {
      return []
    }
  }
  const write = (queries: SavedQuery[]): SavedQuery[] => {
    try {
      storage.setItem(key, JSON.stringify(queries))
    } catch {
      // A full or forbidden storage: it stays as it was.
    }
    return read()
  }
  return {
    read,
    /** One of the same name is replaced; past a hundred the oldest goes. */
    save: ({ name, query }: SavedQuery) => {
      const called = name.trim().slice(0, longestName)
      const others = read().filter((each) => each.name !== called)
      return called === '' ? read() : write([...others, { name: called, query }].slice(-most))
    },
    remove: (name: string) => write(read().filter((each) => each.name !== name)),
  }
}

const isSaved = (value: unknown): value is SavedQuery =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedQuery).name === 'string' &&
  typeof (value as SavedQuery).query === 'string'

/** What a query calls itself: the first proposal for a name. */
export const nameOfQuery = (query: string): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? ''

/** The same storage for what GraphiQL keeps (tabs, history), under a person's own names. */
export function storageOf(storage: Storage, person: string | undefined): Storage {
  const prefix = `latchkey.explorer.${person ?? 'anyone'}.`
  const own = () => Object.keys(storage).filter((key) => key.startsWith(prefix))
  return {
    get length() {
      return own().length
    },
    key: (at) => own()[at]?.slice(prefix.length) ?? null,
    getItem: (key) => storage.getItem(prefix + key),
    setItem: (key, value) => storage.setItem(prefix + key, value),
    removeItem: (key) => storage.removeItem(prefix + key),
    clear: () => {
      for (const key of own()) storage.removeItem(key)
    },
  }
}
