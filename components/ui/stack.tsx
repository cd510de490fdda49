import type { ReactNode } from 'react'

/** The sections of a page under each other. The track may shrink, so a wide table scrolls in its own box. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
}
