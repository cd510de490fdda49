'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

/**
 * A link that knows whether its page is open. It is current on `href` itself, and below it too unless `exact`.
 * The look of both states comes from the caller's classes through `aria-current`.
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
  /** Addresses below that have links of their own in the same list. */
  except?: readonly string[]
  className?: string
  children: ReactNode
}) {
  const path = usePathname()
  const below = (place: string) => path === place || path.startsWith(`${place}/`)
  const current = exact ? path === href : below(href) && !except.some(below)
  return (
    <Link href={href} aria-current={current ? 'page' : undefined} className={className}>
      {children}
    </Link>
  )
}
