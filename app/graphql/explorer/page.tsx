import type { Metadata } from 'next'
import { LoadExplorer } from '@/components/explorer/load-explorer'

export const metadata: Metadata = { title: 'GraphQL explorer' }

/** GraphiQL: where GET /graphql/v2 leads a browser. */
export default function ExplorerPage() {
  return (
    <main>
      <h1 className="sr-only">GraphQL explorer</h1>
      <LoadExplorer tokensHref="/account/tokens" />
    </main>
  )
}
