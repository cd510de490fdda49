import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Brand, Logo, SkipLink } from '../frame/brand'
import { TextLink } from '../ui/text-link'

/** The frame of the explorer, which takes the whole window: the way back to the console, and to what helps with a query. */
export function ExplorerFrame({ brand, children }: { brand: Brand; children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink>Skip to content</SkipLink>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-4 py-2.5">
        <Link href="/" className="flex items-center gap-2 font-semibold">
          <Logo brand={brand} />
          {brand.serviceName}
        </Link>
        <h1 className="text-muted max-sm:sr-only">GraphQL explorer</h1>
        <nav aria-label="Explorer" className="ml-auto flex gap-4">
          <TextLink href="/docs/graphql">Reference</TextLink>
          <TextLink href="/">Console</TextLink>
        </nav>
      </header>
      <main id="content" tabIndex={-1} className="min-h-0 flex-1">
        {children}
      </main>
    </div>
  )
}
