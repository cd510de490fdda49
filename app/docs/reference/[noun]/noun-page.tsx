import type { ReactElement } from 'react'
import { DocsArticle, DocsSection } from '@/components/docs/prose'
import { ReferenceList } from '@/components/docs/reference-list'
import { byNoun, reference } from '@/lib/edges/graphql/reference/reference'

/** Returns the page with the operations of one noun. @returns undefined if no noun has that name */
export function nounPage(slug: string): { title: string; page: ReactElement } | undefined {
  const noun = byNoun(reference()).find((each) => each.slug === slug)
  if (!noun) return undefined
  const { title, queries, mutations, subscriptions } = noun
  const page = (
    <DocsArticle
      title={title}
      lead="Queries, mutations, and subscriptions, each with a working example."
      trail={[{ label: 'Operations', href: '/docs/reference' }]}
    >
      {queries.length > 0 && (
        <DocsSection id="queries" title="Queries">
          <ReferenceList entries={queries} />
        </DocsSection>
      )}
      {mutations.length > 0 && (
        <DocsSection id="mutations" title="Mutations">
          <ReferenceList entries={mutations} />
        </DocsSection>
      )}
      {subscriptions.length > 0 && (
        <DocsSection id="subscriptions" title="Subscriptions">
          <ReferenceList entries={subscriptions} />
        </DocsSection>
      )}
    </DocsArticle>
  )
  return { title: `${title}, operations`, page }
}
