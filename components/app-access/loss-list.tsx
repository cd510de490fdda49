'use client'
import { useState } from 'react'
import { SearchBar } from '../lists/search-bar'
import { Badge } from '../ui/badge'
import { cn } from '../ui/cn'

/** An app that loses access. The search matches `name` and `through`. */
export type LostApp = {
  id: string
  name: string
  /** The lost access as text, such as “Ada and Grace, Installation”. */
  through: string
  partly: boolean
}

/** The number of apps above which the list has a search field. */
const many = 8

/** Lists the apps that lose access because of a policy. A long list scrolls in a box with a search field. */
export function LossList({ apps }: { apps: readonly LostApp[] }) {
  const [search, setSearch] = useState('')
  const long = apps.length > many
  const wanted = search.trim().toLowerCase()
  const found = apps.filter(({ name, through }) => `${name}\n${through}`.toLowerCase().includes(wanted))
  return (
    <div className="overflow-clip rounded-control border">
      {long && (
        <div className="needs-script">
          <SearchBar
            label="Search apps that lose access"
            placeholder={`Search ${apps.length.toLocaleString('en')} apps or their users`}
            value={search}
            onSearch={setSearch}
            status={`${found.length.toLocaleString('en')} of ${apps.length.toLocaleString('en')}`}
          />
        </div>
      )}
      <ul
        aria-label="Apps that lose access"
        // A long list scrolls. Keyboard users can scroll the list only if it can receive the focus.
        tabIndex={long ? 0 : undefined}
        className={cn('loss-rows grid', long && 'max-h-80 overflow-y-auto focus-visible:-outline-offset-2')}
      >
        {found.map(({ id, name, through, partly }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            <span>{through}</span>
            {partly && <Badge tone="warning">Partial</Badge>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-3 py-3 text-[13px] text-muted">No matching apps.</p>}
    </div>
  )
}
