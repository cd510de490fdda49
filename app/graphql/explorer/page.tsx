import type { Metadata } from 'next'
import { readBrand } from '@/app/brand'
import { ExplorerFrame } from '@/components/explorer/explorer-frame'
import { LoadExplorer } from '@/components/explorer/load-explorer'

export const metadata: Metadata = { title: 'GraphQL explorer' }

/** GraphiQL: where GET /graphql/v2 leads a browser. */
export default function ExplorerPage() {
  return (
    <ExplorerFrame brand={readBrand()}>
      <LoadExplorer tokensHref="/account/tokens" />
    </ExplorerFrame>
  )
}
