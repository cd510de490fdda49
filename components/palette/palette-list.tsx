'use client'

import { Command, useCommandState } from 'cmdk'
import { useEffect, useState } from 'react'
import type { Palette, PaletteEntry } from '@/lib/edges/web/console/palette'
import { Skeleton } from '../ui/stack'

/** Lists the entries by group. Shows a message if no entry matches or if the entries could not be loaded. */
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
            Pages couldn’t be loaded. Close this dialog and try again.
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

/**
 * The pause in typing before an announcement, in milliseconds. The pause is needed because a screen reader
 * drops announcements when the next key is pressed.
 */
const pause = 500

/**
 * Announces that nothing matches. If there are matches, no announcement is needed, because screen readers
 * read the marked option.
 */
function NoMatches({ search, none }: { search: string; none: boolean }) {
  const [announced, setAnnounced] = useState<string>()
  useEffect(() => {
    if (!none) return
    const timer = setTimeout(() => setAnnounced(search), pause)
    return () => clearTimeout(timer)
  }, [search, none])
  return (
    <p role="status" className="sr-only">
      {none && announced === search && 'No matches'}
    </p>
  )
}

/** The delay between the last keystroke and the request, in milliseconds. */
const searchPauseMs = 150

type Loaded = Palette & { for: string }

async function load(search: string, workspace: string | undefined, signal: AbortSignal): Promise<Palette> {
  const query = new URLSearchParams({ search, ...(workspace ? { workspace } : {}) })
  const response = await fetch(`/palette?${query}`, { signal })
  if (!response.ok) throw new Error(`The palette request failed with status ${response.status}.`)
  return response.json()
}

/**
 * Returns the palette's entries, including entries that do not match the search text. For most users, the
 * first response contains all entries. For users with more entries, the server also searches while they type,
 * and the entries that it finds are added.
 * @returns the entries so far, whether more are loading, and whether the last request failed
 */
function usePalette(
  search: string,
  workspace: string | undefined,
): { entries: PaletteEntry[]; loading: boolean; failed: boolean } {
  const [all, setAll] = useState<Palette>()
  const [found, setFound] = useState<Loaded>()
  const [failed, setFailed] = useState(false)
  const asked = search.trim()
  const ask = all === undefined || (all.more && asked !== '' && asked !== found?.for)
  useEffect(() => {
    if (!ask) return
    const first = all === undefined
    const control = new AbortController()
    const timer = setTimeout(
      () => {
        load(first ? '' : asked, workspace, control.signal).then(
          (palette) => {
            setFailed(false)
            if (first) setAll(palette)
            else setFound({ ...palette, for: asked })
          },
          () => {
            if (!control.signal.aborted) setFailed(true)
          },
        )
      },
      first ? 0 : searchPauseMs,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [ask, all, asked, workspace])
  const known = new Set(all?.entries.map(keyOf))
  const further = found?.entries.filter((entry) => !known.has(keyOf(entry))) ?? []
  return { entries: [...(all?.entries ?? []), ...further], loading: ask && !failed, failed }
}

/** Returns a unique key for an entry. */
const keyOf = ({ group, label, href }: PaletteEntry): string => `${group} ${label} ${href}`
