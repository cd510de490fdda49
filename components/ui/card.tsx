import { type ReactNode, useId } from 'react'
import { cn } from './cn'

/** A bordered box for an object on the page, such as a list. The box adds neither a heading nor padding. */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn('min-w-0 rounded-card border bg-surface', className)}>{children}</div>
}

/**
 * A titled section of a page. The section's text is at the left, and its fields are at the right, at reading
 * width. On phones, the fields are below the text. `footer` contains the section's note and button (wrap the
 * Section in its `<form>`). `flush` is for a Table or list, which gets the full width below the text.
 * `danger` is for a destructive action, with its text at the left and its button at the right. A `Stack`
 * draws the lines between sections.
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
  /** The control at the right of the title, such as a button that adds an entry to this section. */
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
      className={cn(
        'section',
        flush && 'gap-3',
        danger && 'section-danger',
        !flush && !danger && 'section-form',
      )}
    >
      <header>
        <div>
          <h2 id={titleId}>{title}</h2>
          {description && <p>{description}</p>}
        </div>
        {action}
      </header>
      <div className={flush ? 'section-flush' : 'section-fields'}>
        {children}
        {footer && (
          <footer
            className={cn(
              'flex flex-wrap items-center justify-between gap-3 text-[13px] text-muted',
              flush && 'border-t bg-raised px-4 py-3',
            )}
          >
            {footer}
          </footer>
        )}
      </div>
    </section>
  )
}

/** The `<h1>` of an auth page's card, with an optional sentence below it. */
export function CardHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-6 grid gap-1.5">
      <h1 className="font-semibold text-xl leading-7">{title}</h1>
      {children && <p className="text-[15px] text-muted">{children}</p>}
    </div>
  )
}
