import type { Metadata } from 'next'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { ReferenceIndex } from '@/components/docs/reference-list'
import { TextAnchor } from '@/components/ui/button'
import { byNoun, reference } from '@/lib/edges/graphql/reference/reference'

export const metadata: Metadata = { title: 'Operations' }

export default function ReferencePage() {
  return (
    <DocsArticle
      title="Operations"
      lead="Every query, mutation, and subscription, each with a working example."
    >
      <DocsSection id="reading" title="How to read it">
        <P>
          A type without <Code>!</Code> can be null. If you don’t have access to a field, its value is null
          and the response contains an error. The other fields are still returned. Types are listed under{' '}
          <TextAnchor href="/docs/graphql#types">GraphQL</TextAnchor>.
        </P>
      </DocsSection>
      {byNoun(reference()).map(({ slug, title, queries, mutations, subscriptions }) => (
        <DocsSection key={slug} id={`about-${slug}`} title={title}>
          <P>
            <TextAnchor href={`/docs/reference/${slug}`}>{`${title} with examples`}</TextAnchor>
          </P>
          <ReferenceIndex
            href={`/docs/reference/${slug}`}
            entries={[
              ...queries,
              ...mutations,
              ...subscriptions.map((entry) => ({ ...entry, label: 'Subscription' })),
            ]}
          />
        </DocsSection>
      ))}
    </DocsArticle>
  )
}
