import type { ReactNode } from 'react'

/** The heading of a card, with one sentence under it. */
export function CardHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-6 grid gap-1.5">
      <h1 className="font-semibold text-xl leading-7">{title}</h1>
      {children && <p className="text-[15px] text-muted">{children}</p>}
    </div>
  )
}
