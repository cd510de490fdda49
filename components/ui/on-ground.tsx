import type { CSSProperties, ReactNode } from 'react'
import { dark, light } from './tokens'

/** A small piece of a light or dark page, whatever the page around it looks like. */
export function OnGround({ ground, children }: { ground: 'light' | 'dark'; children: ReactNode }) {
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
