import { useState } from 'react'
import { Button } from '../ui/button'
import { Input, Select } from '../ui/input'

export type ExampleGroup = { title: string; examples: SavedQuery[] }

/**
 * Lists example operations and the queries that the user saved in this browser. Users can save the editor's
 * text as a query, and remove the selected saved query. Selecting a query replaces the editor's text, but
 * does not run the query.
 * @param query the editor's text
 */
export function QueryShelf({
  groups,
  user,
  query,
  onChoose,
}: {
  groups: ExampleGroup[]
  user: string | undefined
  query: string
  onChoose: (query: string) => void
}) {
  const shelf = savedQueries(localStorage, user)
  const [saved, setSaved] = useState(shelf.read)
  const [chosen, setChosen] = useState('')
  const [naming, setNaming] = useState<string>()
  const keep = () => {
    setSaved(shelf.save({ name: naming as string, query }))
    setChosen((naming as string).trim())
    setNaming(undefined)
  }
  const remove = () => {
    setSaved(shelf.remove(chosen))
    setChosen('')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Choice
        label="Examples"
        groups={groups}
        value=""
        onChoose={(example) => {
          setChosen('')
          onChoose(example.query)
        }}
      />
      {saved.length > 0 && (
        <Choice
          label="Saved queries"
          groups={[{ title: 'In this browser', examples: saved }]}
          value={chosen}
          onChoose={(kept) => {
            setChosen(kept.name)
            onChoose(kept.query)
          }}
        />
      )}
      {naming === undefined ? (
        <>
          <Button onClick={() => setNaming(chosen || nameOfQuery(query))}>Save query</Button>
          {chosen && (
            <Button variant="quiet" onClick={remove}>
              Remove
            </Button>
          )}
        </>
      ) : (
        <form
          className="flex min-w-0 items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            keep()
          }}
        >
          <Input
            aria-label="Query name"
            autoFocus
            required
            maxLength={80}
            value={naming}
            onChange={(event) => setNaming(event.target.value)}
            className="w-44"
          />
          <Button type="submit">Save</Button>
          <Button variant="quiet" onClick={() => setNaming(undefined)}>
            Cancel
          </Button>
        </form>
      )}
    </div>
  )
}

/** A select that shows its label while nothing is chosen. */
function Choice({
  label,
  groups,
  value,
  onChoose,
}: {
  label: string
  groups: ExampleGroup[]
  value: string
  onChoose: (chosen: SavedQuery) => void
}) {
  const all = groups.flatMap(({ examples }) => examples)
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const found = all.find(({ name }) => name === event.target.value)
        if (found) onChoose(found)
      }}
      className="w-44"
    >
      <option value="">{label}</option>
      {groups.map(({ title, examples }) => (
        <optgroup key={title} label={title}>
          {examples.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

/** A query with a name: an example, or a query that a user saved in this browser. */
export type SavedQuery = { name: string; query: string }

const most = 100
const longestName = 80

/**
 * Returns functions that read, save, and remove a user's saved queries. The queries are stored only in the
 * browser, separately for each user.
 * @param storage the browser's storage; if it cannot store a change, the saved queries stay unchanged
 * @param user the user's ID; undefined for visitors who are not signed in, who all share the same queries
 */
export function savedQueries(storage: Pick<Storage, 'getItem' | 'setItem'>, user: string | undefined) {
  const key = `latchkey.explorer.saved.${user ?? 'anyone'}`
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
      // Ignore the error. The storage is full, or the browser blocks it. The saved queries stay unchanged.
    }
    return read()
  }
  return {
    read,
    /**
     * Saves a query and returns all saved queries. Trims the name and shortens it to 80 characters. Replaces
     * a saved query with the same name. If there are more than a hundred queries, removes the oldest. Ignores
     * a query with a blank name.
     */
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

/**
 * Returns the name of the first named operation in a query, which is the default name of a saved query.
 * Returns an empty string if no operation has a name.
 */
export const nameOfQuery = (query: string): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? ''

/** Returns a storage in which GraphiQL keeps its tabs and history. The keys are separate for each user. */
export function storageOf(storage: Storage, user: string | undefined): Storage {
  const prefix = `latchkey.explorer.${user ?? 'anyone'}.`
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
