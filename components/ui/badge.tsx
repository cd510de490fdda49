import type { ReactNode } from 'react'
import { cn } from './cn'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

const tones: Record<Tone, string> = {
  neutral: 'border-border bg-raised text-muted',
  accent: 'border-link/30 bg-surface text-link',
  success: 'border-success/30 bg-success-soft text-success',
  warning: 'border-warning/30 bg-warning-soft text-warning',
  danger: 'border-danger/30 bg-danger-soft text-danger',
}

/** A word or two about the state of something: a role, "Verified", "Expired". Never the only carrier of meaning. */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-xs [&_svg]:size-3',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
