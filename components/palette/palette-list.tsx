'use client'
import { Command, useCommandState } from 'cmdk'
import type { PaletteEntry } from '@/lib/edges/web/console/palette'
import { Skeleton } from '../ui/skeleton'
import { NoMatches } from './no-matches'
import { keyOf, usePalette } from './use-palette'

/** The entries by group, and what is said where there are none. */
export function PaletteList({
  search,
  workspace,
  onChoose,
}: {
  search: string
  workspace: string | undefined
  onChoose: (entry: PaletteEntry) => void
}) {
  const { entries, loading, failed } = usePalette(search, workspace)
  const offered = entries.filter(({ onSearch }) => !onSearch || search.trim() !== '')
  const none = useCommandState(({ filtered }) => filtered.count === 0) && !loading && !failed
  return (
    <>
      <Command.List label="Pages and actions" className="min-h-0 overflow-y-auto overscroll-contain p-2">
        {groupsOf(offered).map(([group, members]) => (
          <Command.Group
            key={group}
            heading={group}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
          >
            {members.map((entry) => (
              <Command.Item
                key={keyOf(entry)}
                value={keyOf(entry)}
                keywords={[entry.label, entry.hint ?? '', entry.group]}
                onSelect={() => onChoose(entry)}
                className="flex cursor-pointer select-none items-center justify-between gap-4 rounded-control px-2 py-2 data-[selected=true]:bg-hover data-[selected=true]:shadow-[inset_2px_0_0_var(--link)]"
              >
                <span className="min-w-0 truncate">{entry.label}</span>
                {entry.hint && entry.hint !== group && (
                  <span className="max-w-[45%] shrink-0 truncate text-muted text-xs">{entry.hint}</span>
                )}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
        {loading && (
          <Command.Loading label="Loading">
            <div className="grid gap-3 px-2 py-2.5">
              <Skeleton className="w-40" />
              <Skeleton className="w-28" />
              <Skeleton className="w-48" />
            </div>
          </Command.Loading>
        )}
        {failed && (
          <p role="alert" className="px-2 py-3 text-danger">
            This couldn’t be loaded. Close it and try again.
          </p>
        )}
        {!loading && !failed && (
          <Command.Empty className="px-2 py-6 text-center text-muted">No matches.</Command.Empty>
        )}
      </Command.List>
      <NoMatches search={search} none={none} />
    </>
  )
}

function groupsOf(entries: readonly PaletteEntry[]): [string, PaletteEntry[]][] {
  const groups = new Map<string, PaletteEntry[]>()
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry])
  return [...groups]
}
