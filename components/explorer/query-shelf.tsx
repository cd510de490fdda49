import { useState } from 'react'
import { Button } from '../ui/button'
import { Input, Select } from '../ui/input'
import { nameOfQuery, type SavedQuery, savedQueries } from './saved-queries'

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
            aria-label="Name of the query"
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
