'use client'
import { useEffect, useState } from 'react'
import { cn } from '../ui/cn'

/**
 * Shows the tip of a bar while the pointer is on its column or on the tip (WCAG 1.4.13). The style sheet does the
 * hovering; the script closes a tip on Escape, until the pointer moves to another column.
 */
export function ChartTips({ bars }: { bars: readonly { key: string; tooltip: string }[] }) {
  const [closed, setClosed] = useState(false)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setClosed(true)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div aria-hidden className="absolute inset-0 flex">
      {bars.map(({ key, tooltip }, at) => (
        <span
          key={key}
          onPointerEnter={() => setClosed(false)}
          className="group relative flex-1 hover:bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
        >
          <span
            className={cn(
              'absolute bottom-full z-10 hidden whitespace-nowrap pb-1',
              at < bars.length / 2 ? 'left-0' : 'right-0',
              !closed && 'group-hover:block',
            )}
          >
            <span className="block rounded-control border border-border-strong bg-overlay px-2 py-1 text-xs tabular-nums shadow-overlay">
              {tooltip}
            </span>
          </span>
        </span>
      ))}
    </div>
  )
}
