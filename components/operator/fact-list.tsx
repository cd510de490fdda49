import type { ReactNode } from 'react'
import { cn } from '../ui/cn'

/** Facts as pairs of name and value; a `wide` one, such as an id, has a line of its own. */
export function FactList({ facts }: { facts: { label: string; value: ReactNode; wide?: boolean }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-x-6 gap-y-4">
      {facts.map(({ label, value, wide = false }) => (
        <div key={label} className={cn('grid content-start gap-0.5', wide && 'col-span-full')}>
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
