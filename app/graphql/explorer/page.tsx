import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { readBrand } from '@/app/brand'
import { LoadExplorer } from '@/components/explorer/load-explorer'
import { type Brand, Logo, SkipLink } from '@/components/frame/brand'
import { Link, TextLink } from '@/components/ui/link'
import { signInPath } from '@/lib/base/http/safe-next'
import { reference } from '@/lib/edges/graphql/reference/reference'
import { currentSession } from '@/lib/edges/web/current-session'

export const metadata: Metadata = { title: 'GraphQL explorer' }

/**
 * The GraphiQL page, to which GET /graphql/v2 redirects browsers. It runs operations as the signed-in user or
 * with a token that the user enters.
 */
export default async function ExplorerPage() {
  const brand = readBrand()
  const session = await currentSession()
  const { queries, mutations } = reference()
  const group = (title: string, entries: typeof queries) => ({
    title,
    examples: entries.flatMap(({ name, example }) => (example ? [{ name, query: example }] : [])),
  })
  return (
    <ExplorerFrame brand={brand}>
      <LoadExplorer
        user={session && { id: session.user.id, name: session.user.name }}
        accent={brand.accentColor}
        groups={[group('Queries', queries), group('Mutations', mutations)]}
        signInHref={signInPath('/graphql/explorer')}
      />
    </ExplorerFrame>
  )
}

/** The frame of the explorer, which fills the window and links to the console and the API reference. */
function ExplorerFrame({ brand, children }: { brand: Brand; children: ReactNode }) {
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
