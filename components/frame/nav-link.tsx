'use client'
import type { ReactNode } from 'react'
import { Link } from '../ui/link'
import { usePlace } from './navigation'

/**
 * A link that is marked with `aria-current` while its page is open or loading. Unless `exact` is set, the
 * link is also marked on the pages below `href`, except for the pages in `except`. The caller's classes style
 * the marked link.
 */
export function NavLink({
  href,
  exact = false,
  except = [],
  className,
  children,
}: {
  href: string
  exact?: boolean
  /**
   * URLs below `href` that have their own links in the same list. On these pages and the pages below them,
   * the link is not marked.
   */
  except?: readonly string[]
  className?: string
  children: ReactNode
}) {
  const path = usePlace()
  const below = (place: string) => path === place || path.startsWith(`${place}/`)
  const current = exact ? path === href : below(href) && !except.some(below)
  return (
    <Link href={href} aria-current={current ? 'page' : undefined} className={className}>
      {children}
    </Link>
  )
}
