import { useEffect, useState } from 'react'
import type { Palette } from '@/lib/edges/web/console/palette'

/** So long nothing more must be typed before the server is asked. */
const pause = 150

/** How many of those found are shown; the page of all workspaces shows the others. */
const most = 8

export type FoundWorkspace = { name: string; href: string }

/**
 * The person's workspaces that match what was typed.
 * @returns undefined while nothing was typed, or until the answer is there
 */
export function useFoundWorkspaces(search: string): FoundWorkspace[] | undefined {
  const [found, setFound] = useState<{ for: string; rows: FoundWorkspace[] }>()
  const asked = search.trim()
  useEffect(() => {
    if (!asked) return
    const control = new AbortController()
    const timer = setTimeout(async () => {
      const response = await fetch(`/palette?${new URLSearchParams({ search: asked })}`, {
        signal: control.signal,
      }).catch(() => undefined)
      if (!response?.ok) return
      const { entries } = (await response.json()) as Palette
      const low = asked.toLowerCase()
      const rows = entries
        .filter(({ group, label }) => group === 'Workspaces' && label.toLowerCase().includes(low))
        .slice(0, most)
        .map(({ label, href }) => ({ name: label, href }))
      setFound({ for: asked, rows })
    }, pause)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [asked])
  return asked && found ? found.rows : undefined
}
