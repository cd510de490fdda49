import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { ExplorerFrame } from '@/components/explorer/explorer-frame'
import { LoadExplorer } from '@/components/explorer/load-explorer'
import { signInPath } from '@/lib/base/http/safe-next'
import { reference } from '@/lib/edges/graphql/reference/reference'
import { currentSession } from '@/lib/edges/web/current-session'

export const metadata: Metadata = { title: 'GraphQL explorer' }

/** GraphiQL: where GET /graphql/v2 leads a browser. It asks as whoever is signed in. */
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
        person={session && { id: session.person.id, name: session.person.name }}
        accent={brand.accentColor}
        groups={[group('Queries', queries), group('Mutations', mutations)]}
        signInHref={signInPath('/graphql/explorer')}
      />
    </ExplorerFrame>
  )
}
