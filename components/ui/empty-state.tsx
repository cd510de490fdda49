import type { ReactNode } from 'react'
import { cn } from './cn'
import type { Icon } from './icon'

/**
 * The content of an empty list. `title` states that the list is empty, `children` explain the list, and
 * `action` is a button for the next step, such as creating the first entry or clearing the filters.
 */
export function EmptyState({
  icon: Icon,
  title,
  action,
  className,
  children,
}: {
  icon?: Icon
  title: ReactNode
  action?: ReactNode
  className?: string
  children?: ReactNode
}) {
  return (
    <div className={cn('grid justify-items-center gap-3 px-6 py-12 text-center', className)}>
      {Icon && (
        <span className="grid size-10 place-content-center rounded-card border bg-background text-muted">
          <Icon className="size-5" />
        </span>
      )}
      <div className="grid max-w-[46ch] gap-1">
        <p className="wrap-anywhere font-medium">{title}</p>
        {children && <div className="text-balance text-muted">{children}</div>}
      </div>
      {action && <div className="mt-1 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
