import type { ReactNode } from 'react'

/** A small piece of a light or dark page, whatever the page around it looks like. */
export const OnGround = ({ ground, children }: { ground: 'light' | 'dark'; children: ReactNode }) => (
  <span style={{ colorScheme: ground }} className="inline-block shrink-0 rounded-card border bg-surface p-3">
    {children}
  </span>
)
