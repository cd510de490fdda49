import { type ReactNode, useId } from 'react'
import { cn } from './cn'

/** A bordered box without a heading of its own. */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn('min-w-0 rounded-card border bg-surface', className)}>{children}</div>
}

/**
 * A titled section of a settings page, with its own save. `footer` holds the note and the button that belong to this
 * section alone; wrap the Section in its `<form>`. `danger` draws the section of destructive actions. `flush` removes
 * the padding of the body, for a Table or list that runs to the edges.
 */
export function Section({
  title,
  description,
  action,
  footer,
  danger = false,
  flush = false,
  id,
  children,
}: {
  title: string
  description?: ReactNode
  /** At the title's right: what adds an entry to this section. */
  action?: ReactNode
  footer?: ReactNode
  danger?: boolean
  flush?: boolean
  id?: string
  children: ReactNode
}) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={cn('min-w-0 overflow-clip rounded-card border bg-surface', danger && 'border-danger/45')}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 pt-4 pb-4 sm:px-6 sm:pt-5">
        <div className="grid min-w-0 flex-1 basis-60 gap-1">
          <h2 id={titleId} className="font-semibold text-base leading-6">
            {title}
          </h2>
          {description && <p className="max-w-[68ch] text-muted">{description}</p>}
        </div>
        {action}
      </header>
      <div className={flush ? 'border-t' : 'grid gap-5 px-4 pb-5 sm:px-6 sm:pb-6'}>{children}</div>
      {footer && (
        <footer className="flex flex-wrap items-center justify-between gap-3 border-t bg-background px-4 py-3 text-muted sm:px-6">
          {footer}
        </footer>
      )}
    </section>
  )
}
