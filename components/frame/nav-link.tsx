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
  also,
  className,
  children,
}: {
  href: string
  exact?: boolean
  /** A second address whose pages belong here too: the projects below the workspace's home. */
  also?: string
  className?: string
  children: ReactNode
}) {
  const path = usePathname()
  const below = (place: string) => path === place || path.startsWith(`${place}/`)
  const current = exact ? path === href || (also !== undefined && below(also)) : below(href)
  return (
    <Link href={href} aria-current={current ? 'page' : undefined} className={className}>
      {children}
    </Link>
  )
}
