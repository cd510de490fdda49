import { useState } from 'react'
import { Button } from '../ui/button'
import { Input, Select } from '../ui/input'

export type ExampleGroup = { title: string; examples: SavedQuery[] }

/**
 * Above the editor: an example for every operation, and what this person saved in this browser. Choosing one puts it into the
 * editor; nothing runs by itself.
 * @param query what stands in the editor
 */
export function QueryShelf({
  groups,
  person,
  query,
  onChoose,
}: {
  groups: ExampleGroup[]
  person: string | undefined
  query: string
  onChoose: (query: string) => void
}) {
  const shelf = savedQueries(localStorage, person)
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
          <Button type="submit">Keep</Button>
          <Button variant="quiet" onClick={() => setNaming(undefined)}>
            Cancel
          </Button>
        </form>
      )}
    </div>
  )
}

/** A list to choose from that says its name while nothing is chosen. */
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
