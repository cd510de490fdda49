import type { CSSProperties, ReactNode } from 'react'
import { dark, light } from './tokens'

/** Shows its children on a light or dark surface, independent of the page's color scheme. */
export function SchemePreview({ ground, children }: { ground: 'light' | 'dark'; children: ReactNode }) {
  const { surface, border } = ground === 'dark' ? dark : light
  return (
    <span
      style={{ '--surface': surface, '--border': border } as CSSProperties}
      className="inline-block shrink-0 rounded-card border bg-surface p-3"
    >
      {children}
    </span>
  )
}
