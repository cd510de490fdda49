'use client'
import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode } from 'react'
import type { ConsolePage } from '@/lib/edges/web/console/console-pages'
import { cn } from '../ui/cn'
import { NavLink } from './nav-link'
import { LoadingPart, usePlace } from './navigation'
import { UnderHeadingProvider } from './page-error'
import { PageHeader } from './page-header'

/**
 * The frame of the pages in one area (a workspace's settings, the account, the instance). For a page in
 * `items`, the frame also shows the page's header. Subpages have their own headers. The navigation, which has
 * the accessible name `label`, is at the left or, on narrow screens, above the page in a row that scrolls.
 * There is no navigation if `items` contains only one page, or on a page with `fullWidth` and its subpages.
 */
export function AreaFrame({
  label,
  items,
  children,
}: {
  label: string
  items: ConsolePage[]
  children: ReactNode
}) {
  const path = usePathname()
  const place = usePlace()
  const here = items.find(({ href }) => href === path)
  const going = items.find(({ href }) => href === place)
  const full = items.some(
    ({ href, fullWidth }) => fullWidth && (path === href || path.startsWith(`${href}/`)),
  )
  // Users with access to only one page need no navigation. Full-width pages have no space for it.
  const several = items.length > 1 && !full
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)]',
        several && 'gap-x-[clamp(24px,4vw,56px)] lg:grid-cols-[168px_minmax(0,1fr)] lg:items-start',
      )}
    >
      {several && (
        <nav
          aria-label={label}
          className="max-lg:-mx-[clamp(16px,3vw,40px)] max-lg:mb-5 max-lg:border-b lg:sticky lg:top-8"
        >
          <ul className="tab-strip gap-px max-lg:ps-[clamp(16px,3vw,40px)] max-lg:pb-3 lg:grid lg:overflow-visible lg:pe-0">
            {items.map(({ label: text, href, exact, group }, at) => (
              <Fragment key={href}>
                {group && group !== items[at - 1]?.group && (
                  <li aria-hidden className="px-2.5 pt-3.5 pb-1 text-muted text-xs max-lg:hidden">
                    {group}
                  </li>
                )}
                <li className="shrink-0">
                  <NavLink href={href} exact={exact ?? false} className="area-link">
                    {text}
                  </NavLink>
                </li>
              </Fragment>
            ))}
          </ul>
        </nav>
      )}
      <div className="min-w-0 max-lg:col-span-full">
        <LoadingPart
          inner
          covers={(next) => items.some(({ href }) => next === href || next.startsWith(`${href}/`))}
          header={going && <PageHeader title={going.label} description={going.description} />}
        >
          {here && <PageHeader title={here.label} description={here.description} />}
          <UnderHeadingProvider value={here !== undefined}>{children}</UnderHeadingProvider>
        </LoadingPart>
      </div>
    </div>
  )
}
