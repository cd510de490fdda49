'use client'
import { type PointerEvent, useEffect, useState } from 'react'

/**
 * Shows the tip of a bar while the pointer is on the bar's column or on the tip (WCAG 1.4.13). Escape hides
 * the tip until the pointer moves to another column or leaves the chart. The document contains only the
 * visible tip, because a page can have thousands of bars.
 */
export function ChartTips({ names, texts }: { names: readonly string[]; texts: readonly string[] }) {
  const [shown, setShown] = useState<{ at: number; closed: boolean }>()
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) =>
      key === 'Escape' && setShown((before) => before && { ...before, closed: true })
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const point = ({ target, currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    // The pointer is on the tip, so keep the tip of the same bar.
    if (target !== currentTarget && !(target as Element).hasAttribute('data-column')) return
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.min(Math.max(Math.floor(((clientX - left) / width) * texts.length), 0), texts.length - 1)
    setShown((before) => (before?.at === at ? before : { at, closed: false }))
  }
  return (
    <div
      aria-hidden
      className="absolute inset-0"
      onPointerEnter={point}
      onPointerMove={point}
      onPointerLeave={() => setShown(undefined)}
    >
      {shown && (
        <span
          data-column
          className="absolute inset-y-0 bg-[color-mix(in_srgb,var(--text)_5%,transparent)]"
          style={{ left: `${(shown.at / texts.length) * 100}%`, width: `${100 / texts.length}%` }}
        >
          {!shown.closed && (
            <span
              className={`absolute bottom-full z-10 whitespace-nowrap pb-1 ${shown.at < texts.length / 2 ? 'left-0' : 'right-0'}`}
            >
              <span className="block rounded-control border border-border-strong bg-overlay px-2 py-1 text-xs tabular-nums shadow-overlay">
                {names[shown.at]}: {texts[shown.at]}
              </span>
            </span>
          )}
        </span>
      )}
    </div>
  )
}
