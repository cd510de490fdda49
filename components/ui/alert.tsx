import type { ReactNode } from 'react'
import { cn } from './cn'
import { CircleAlert, CircleCheck, type Icon, Info, TriangleAlert } from './icon'

type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const tones: Record<AlertTone, { icon: Icon; box: string; mark: string }> = {
  info: { icon: Info, box: 'border-border bg-raised', mark: 'text-muted' },
  success: { icon: CircleCheck, box: 'border-success/35 bg-success-soft', mark: 'text-success' },
  warning: { icon: TriangleAlert, box: 'border-warning/35 bg-warning-soft', mark: 'text-warning' },
  danger: { icon: CircleAlert, box: 'border-danger/35 bg-danger-soft', mark: 'text-danger' },
}

/**
 * Shows what happened, why, and what to do. `danger` is announced immediately (role="alert"), and the other
 * tones are announced as a status. `title` alone is enough for one sentence. `children` contain further text,
 * and `action` a button.
 */
export function Alert({
  tone = 'info',
  title,
  action,
  className,
  children,
}: {
  tone?: AlertTone
  title?: ReactNode
  action?: ReactNode
  className?: string
  children?: ReactNode
}) {
  const { icon: Icon, box, mark } = tones[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'flex items-start gap-x-2.5 gap-y-2 rounded-control border px-3 py-2.5 text-sm max-sm:flex-wrap',
        box,
        className,
      )}
    >
      <Icon className={cn('mt-0.5 size-4 shrink-0', mark)} />
      <div className="grid min-w-0 flex-1 gap-0.5 max-sm:basis-[calc(100%-26px)]">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-text [&_a]:underline">{children}</div>}
      </div>
      {action && <div className="max-sm:ms-[26px] max-sm:min-w-0 sm:shrink-0">{action}</div>}
    </div>
  )
}
