import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'

/**
 * The top of a console page: the way back (`trail`), its name, and one primary action at the right.
 */
export function PageHeader({
  title,
  trail,
  badge,
  description,
  action,
}: {
  title: string
  trail?: { label: string; href: string }[]
  /** A Badge beside the title: a role, a state. */
  badge?: ReactNode
  description?: ReactNode
  action?: ReactNode
}) {
  return (
    <header className="mb-6 grid gap-1">
      {trail && trail.length > 0 && (
        <nav aria-label="Breadcrumb">
          <ol className="flex flex-wrap gap-1.5 text-[13px] text-muted">
            {trail.map(({ label, href }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="-ml-0.5 flex items-center gap-0.5 rounded-[3px] pr-1 hover:text-text hover:underline"
                >
                  <ChevronLeft aria-hidden className="size-3.5" />
                  {label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-72 gap-1">
          <div className="flex min-w-0 items-center gap-2.5">
            <h1 className="min-w-0 font-semibold text-[22px] leading-8 tracking-[-0.01em]">{title}</h1>
            {badge}
          </div>
          {description && <p className="max-w-[68ch] text-muted">{description}</p>}
        </div>
        {action}
      </div>
    </header>
  )
}
