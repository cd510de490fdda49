import type { ReactNode } from 'react'
import { cn } from './cn'

/** Lists facts as pairs of name and value. A `wide` fact, such as an ID, has its own line. */
export function FactList({ facts }: { facts: { label: string; value: ReactNode; wide?: boolean }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-x-6 gap-y-4">
      {facts.map(({ label, value, wide = false }) => (
        <div
          key={label}
          className={cn(
            'grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-0.5',
            wide && 'col-span-full',
          )}
        >
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
