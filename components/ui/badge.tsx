import type { ReactNode } from 'react'
import { cn } from './cn'

export type Tone = 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'danger'

/**
 * Shows a property or status in one or two words, such as a role, "Verified", or "Expired". The text must
 * state the status, because some users cannot see the color.
 */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone
  className?: string
  children: ReactNode
}) {
  return <span className={cn('badge', `badge-${tone}`, className)}>{children}</span>
}
