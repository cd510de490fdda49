import { useEffect, useState } from 'react'
import type { Palette, PaletteEntry } from '@/lib/edges/web/console/palette'

/** So long nothing more must be typed before the server is asked. */
const pause = 150

type Loaded = Palette & { for: string }

async function load(search: string, workspace: string | undefined, signal: AbortSignal): Promise<Palette> {
  const query = new URLSearchParams({ search, ...(workspace ? { workspace } : {}) })
  const response = await fetch(`/palette?${query}`, { signal })
  if (!response.ok) throw new Error(`The palette answered ${response.status}.`)
  return response.json()
}

/**
 * What the palette offers for what was typed: everything at once for most people, and for those who have more than one
 * answer holds, what the server finds as they type.
 * @returns the entries so far, whether more are on their way, and whether the last request failed
 */
export function usePalette(
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
      first ? 0 : pause,
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

/** What no two entries share. */
export const keyOf = ({ group, label, href }: PaletteEntry): string => `${group} ${label} ${href}`
