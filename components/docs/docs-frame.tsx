import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Brand, Logo } from '../frame/brand'
import { NavLink } from '../frame/nav-link'
import { RailSheet } from '../frame/rail-sheet'
import { SkipLink } from '../frame/skip-link'

export type DocsGroup = { title: string; pages: { title: string; href: string }[] }

/** The documentation: its pages in a rail (a sheet on phones), one column of text. It needs nobody signed in. */
export function DocsFrame({
  brand,
  groups,
  children,
}: {
  brand: Brand
  groups: DocsGroup[]
  children: ReactNode
}) {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[240px_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh flex-col border-r bg-surface md:flex">
        <DocsRail brand={brand} groups={groups} />
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-2 md:hidden">
        <RailSheet>
          <DocsRail brand={brand} groups={groups} />
        </RailSheet>
        <Logo brand={brand} />
        <span className="truncate font-semibold">{brand.serviceName} docs</span>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-content px-4 pt-6 pb-20 text-[15px] leading-6 sm:px-8 sm:pt-10"
      >
        {children}
      </main>
    </div>
  )
}

const item =
  'block rounded-control px-2 py-1.5 text-muted hover:bg-hover hover:text-text aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-text'

function DocsRail({ brand, groups }: { brand: Brand; groups: DocsGroup[] }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-3">
      <Link
        href="/docs"
        className="flex h-8 items-center gap-2 self-start rounded-control px-2 font-semibold text-sm"
      >
        <Logo brand={brand} />
        {brand.serviceName} docs
      </Link>
      <nav aria-label="Documentation" className="grid gap-4 text-sm leading-5">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <p aria-hidden className="px-2 pb-1 font-medium text-[13px] text-muted">
              {group.title}
            </p>
            <ul className="grid gap-0.5">
              {group.pages.map(({ title, href }) => (
                <li key={href}>
                  <NavLink href={href} exact={href === '/docs'} className={item}>
                    {title}
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <p className="mt-auto grid border-t pt-3 text-sm">
        <a href="/openapi.json" className={item}>
          OpenAPI description
        </a>
        <a href="/" className={item}>
          Go to the console
        </a>
      </p>
    </div>
  )
}
