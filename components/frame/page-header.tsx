import type { ReactNode } from 'react'
import { cn } from '../ui/cn'
import { Link } from '../ui/link'
import { NavLink } from './nav-link'

/**
 * The top of a console page: breadcrumbs (`trail`), a logo (`mark`), the title with a badge, a description,
 * and actions at the right.
 */
export function PageHeader({
  title,
  trail,
  mark,
  badge,
  description,
  action,
}: {
  title: string
  trail?: { label: string; href: string }[]
  mark?: ReactNode
  /** A Badge next to the title, such as a role or a status. */
  badge?: ReactNode
  description?: ReactNode
  action?: ReactNode
}) {
  return (
    <header className="mb-6 grid grid-cols-[minmax(0,1fr)] gap-1">
      {trail && trail.length > 0 && (
        <nav aria-label="Breadcrumb">
          <ol className="flex min-w-0 flex-wrap gap-x-1.5 text-[13px] text-muted">
            {trail.map(({ label, href }) => (
              <li
                key={href}
                className="flex min-w-0 max-w-full items-center gap-1.5 not-last:after:text-control not-last:after:content-['/'/'']"
              >
                <Link href={href} className="min-w-0 truncate rounded-[3px] hover:text-text hover:underline">
                  {label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className={cn('flex min-w-0 flex-1 basis-72 gap-3.5', mark && 'pt-1')}>
          {mark}
          <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-0.5">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
              <h1 className="min-w-0 font-semibold text-[22px] leading-[30px] tracking-[-0.018em] [overflow-wrap:anywhere]">
                <bdi>{title}</bdi>
              </h1>
              {badge}
            </div>
            {description && <div className="max-w-[68ch] text-muted">{description}</div>}
          </div>
        </div>
        {action && (
          <div className="flex shrink-0 flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:flex-1 max-sm:[&_:is(button,[role=button])]:w-full">
            {action}
          </div>
        )}
      </div>
    </header>
  )
}

/**
 * Tabs for related pages, such as the pages of a project, below their common header. On phones, the tabs
 * scroll sideways. Unless a tab is `exact`, it is also current on the pages below its URL, except for the
 * pages in `except`, which have their own tabs.
 */
export function SubNav({
  label,
  items,
}: {
  label: string
  items: { label: string; count?: number; href: string; exact?: boolean; except?: readonly string[] }[]
}) {
  return (
    <nav aria-label={label} className="-mx-4 mb-6 border-b sm:mx-0">
      {/* The line below the current tab covers the border. */}
      <ul className="tab-strip -mb-px gap-1 ps-4 sm:ps-0">
        {items.map(({ label: text, count, href, exact, except }) => (
          <li key={href}>
            <NavLink
              href={href}
              exact={exact ?? false}
              except={except ?? []}
              className="block whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-muted hover:text-text focus-visible:-outline-offset-2 aria-[current]:[scroll-initial-target:nearest] aria-[current]:border-link aria-[current]:text-text"
            >
              {text}
              {count !== undefined && (
                <span className="ml-1.5 font-normal text-[13px] text-muted tabular-nums">
                  {count.toLocaleString('en')}
                </span>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
