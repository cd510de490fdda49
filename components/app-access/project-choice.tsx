'use client'
import { useRef, useState } from 'react'
import { useEarlyInput, useScripted } from '../forms/hydration'
import { SearchBar } from '../lists/search-bar'
import { ChoiceGroup } from '../ui/choice'
import { cn } from '../ui/cn'

/** The number of projects above which the list has a search field. */
const many = 8

/**
 * Lets admins select projects. If none is checked, the selection is the whole workspace. A long list has a
 * search field and a count, which require JavaScript. Checked projects stay checked while the search hides
 * them. Renders nothing if there are no projects.
 */
export function ProjectChoice({
  projects,
  chosen,
  more = 0,
  error,
}: {
  projects: readonly { id: string; name: string }[]
  chosen: readonly string[]
  /** The number of projects that are not listed because there are too many. */
  more?: number
  error: string | undefined
}) {
  const [search, setSearch] = useState('')
  const [count, setCount] = useState(chosen.length)
  const scripted = useScripted()
  const rows = useRef<HTMLDivElement>(null)
  useEarlyInput(rows)
  if (projects.length === 0) return null
  const long = projects.length > many
  const wanted = search.trim().toLowerCase()
  const matches = (name: string) => name.toLowerCase().includes(wanted)
  return (
    <ChoiceGroup
      legend="Projects"
      hint="If you select none, the app can access the whole workspace, including future projects."
      error={error}
    >
      <div className={cn('min-w-0', long && 'overflow-clip rounded-control border')}>
        {long && scripted && (
          <SearchBar
            label="Search projects"
            placeholder={`Search ${projects.length.toLocaleString('en')} projects`}
            value={search}
            onSearch={setSearch}
            status={`${count.toLocaleString('en')} selected`}
          />
        )}
        <div
          ref={rows}
          className={cn('project-rows grid', long ? 'max-h-64 overflow-y-auto p-1.5' : '-mx-1.5')}
          onChange={({ currentTarget }) => setCount(currentTarget.querySelectorAll(':checked').length)}
        >
          {projects.map(({ id: value, name }) => (
            <label key={value} hidden={!matches(name)}>
              <input
                type="checkbox"
                name="projectIds"
                value={value}
                defaultChecked={chosen.includes(value)}
                className="tick"
              />
              <span>{name}</span>
            </label>
          ))}
          {wanted !== '' && !projects.some(({ name }) => matches(name)) && (
            <p className="px-1.5 py-3 text-[13px] text-muted">
              No matching projects. Clear the search to see all projects.
            </p>
          )}
        </div>
      </div>
      {more > 0 && (
        <p className="text-[13px] text-muted">
          {more.toLocaleString('en')} more projects aren’t listed. Select them through the API.
        </p>
      )}
    </ChoiceGroup>
  )
}
