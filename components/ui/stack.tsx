import type { ReactNode } from 'react'

/** The sections of a page under each other, parted by a hairline. The track may shrink, so a wide table scrolls in its own box. */
export function Stack({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7 [&>*:not(header,[role=status],[hidden])+*:not(nav,[role=status])]:border-t [&>*:not(header,[role=status],[hidden])+*:not(nav,[role=status])]:pt-7">
      {children}
    </div>
  )
}
