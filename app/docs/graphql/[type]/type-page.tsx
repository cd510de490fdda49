import type { ReactElement } from 'react'
import { DocsArticle, DocsSection, SchemaText } from '@/components/docs/prose'
import { ReferenceList } from '@/components/docs/reference-list'
import { reference } from '@/lib/edges/graphql/reference/reference'

const headings = {
  object: 'Fields',
  interface: 'Fields',
  input: 'Fields',
  enum: 'Values',
  union: 'Members',
  scalar: '',
}

/** Returns the page of a schema type. @returns undefined if no type has that name */
export function typePage(name: string): { title: string; page: ReactElement } | undefined {
  const type = reference().types.find((each) => each.name === name)
  if (!type) return undefined
  const page = (
    <DocsArticle
      title={type.name}
      lead={<SchemaText text={type.description} />}
      trail={[{ label: 'GraphQL', href: '/docs/graphql' }]}
    >
      {type.entries.length > 0 && (
        <DocsSection id="entries" title={headings[type.kind]}>
          <ReferenceList entries={type.entries} />
        </DocsSection>
      )}
    </DocsArticle>
  )
  return { title: type.name, page }
}
