import type { ReactNode } from 'react'
import { cn } from '../ui/cn'

/** One line of a request. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:grid-cols-[128px_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** What identifies a fact: an ID, a date. */
export const Muted = ({ mono = false, children }: { mono?: boolean; children: ReactNode }) => (
  <span className={cn('block text-[13px] text-muted', mono && 'font-mono')}>{children}</span>
)
