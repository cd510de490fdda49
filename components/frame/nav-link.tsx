'use client'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { usePlace } from './navigation'

/**
 * A link that is marked while its page is open or loading. The link is current on the page `href` and, unless `exact` is set,
 * on the pages below that page. The caller's classes style both states through `aria-current`.
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
  /** URLs below `href` that have their own links in the same list. */
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
