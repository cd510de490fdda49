import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocsArticle, DocsSection } from '@/components/docs/prose'
import { ReferenceList } from '@/components/docs/reference-list'
import { byNoun } from '@/lib/edges/graphql/reference/nouns'
import { reference } from '@/lib/edges/graphql/reference/reference'

type Props = { params: Promise<{ noun: string }> }

const find = async (params: Props['params']) => {
  const { noun } = await params
  return byNoun(reference()).find(({ slug }) => slug === noun)
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${(await find(params))?.title ?? 'Unknown'}, operations` }
}

export default async function ReferenceNounPage({ params }: Props) {
  const noun = await find(params)
  if (!noun) notFound()
  const { title, queries, mutations, subscriptions } = noun
  return (
    <DocsArticle
      title={title}
      lead="What can be asked, changed and followed, each with an example that runs."
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
}
