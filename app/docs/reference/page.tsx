import type { Metadata } from 'next'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { ReferenceList } from '@/components/docs/reference-list'
import { TextLink } from '@/components/ui/text-link'
import { reference } from '@/lib/edges/graphql/reference/reference'

export const metadata: Metadata = { title: 'Operations' }

export default function ReferencePage() {
  const { queries, mutations } = reference()
  return (
    <DocsArticle title="Operations" lead="Every query and mutation, each with an example that runs.">
      <DocsSection id="reading" title="How to read it">
        <P>
          A type without <Code>!</Code> may be null: where a right refuses a field, that field is null, with
          an error, and the others are answered. Types are listed under{' '}
          <TextLink href="/docs/graphql#types">GraphQL</TextLink>.
        </P>
      </DocsSection>
      <DocsSection id="queries" title="Queries">
        <ReferenceList entries={queries} />
      </DocsSection>
      <DocsSection id="mutations" title="Mutations">
        <ReferenceList entries={mutations} />
      </DocsSection>
    </DocsArticle>
  )
}
