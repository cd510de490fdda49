import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocsArticle, DocsSection, Words } from '@/components/docs/prose'
import { ReferenceList } from '@/components/docs/reference-list'
import { reference } from '@/lib/edges/graphql/reference/reference'

type Props = { params: Promise<{ type: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).type }
}

const headings = {
  object: 'Fields',
  interface: 'Fields',
  input: 'Fields',
  enum: 'Values',
  union: 'Members',
  scalar: '',
}

export default async function GraphQLTypePage({ params }: Props) {
  const { type: name } = await params
  const type = reference().types.find((each) => each.name === name)
  if (!type) notFound()
  return (
    <DocsArticle
      title={type.name}
      lead={<Words text={type.description} />}
      trail={[{ label: 'GraphQL', href: '/docs/graphql' }]}
    >
      {type.entries.length > 0 && (
        <DocsSection id="entries" title={headings[type.kind]}>
          <ReferenceList entries={type.entries} />
        </DocsSection>
      )}
    </DocsArticle>
  )
}
