import type { ReactNode } from 'react'

/** Facts as pairs of name and value. */
export function FactList({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(140px,1fr))] gap-x-6 gap-y-4">
      {facts.map(({ label, value }) => (
        <div key={label} className="grid content-start gap-0.5">
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
