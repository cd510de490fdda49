import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Following } from '@/components/docs/examples'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { type Reference, reference } from '@/lib/edges/graphql/reference/reference'
import { followSnippet, projectsSnippet } from '@/lib/features/docs/snippets/curl'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'GraphQL' }

const kinds: [Reference['types'][number]['kind'], string][] = [
  ['object', 'Objects'],
  ['interface', 'Interfaces'],
  ['union', 'Unions'],
  ['input', 'Inputs'],
  ['enum', 'Enums'],
  ['scalar', 'Scalars'],
]

export default function GraphQLPage() {
  const { types } = reference()
  return (
    <DocsArticle title="GraphQL" lead="One endpoint for everything: POST /graphql/v2, with a token.">
      <DocsSection id="call" title="A request">
        <P>
          Send JSON with <Code>query</Code> and, where there are any, <Code>variables</Code>. Lists are pages:
          ask for <Code>first</Code>, go on with <Code>after</Code> and the last <Code>endCursor</Code>. The
          schema can be read by introspection without a token. What can be asked is listed under{' '}
          <TextAnchor href="/docs/reference">Operations</TextAnchor>, errors are explained under{' '}
          <TextAnchor href="/docs/errors#graphql">Errors</TextAnchor>. Every answer says in{' '}
          <Code>extensions.cost</Code> what the operation cost, of how many points.
        </P>
        <CodeBlock title="A request with variables" code={projectsSnippet(readSnippetValues())} />
      </DocsSection>
      <DocsSection id="again" title="Sending it again">
        <P>
          When no answer came, nobody knows whether a mutation was carried out. Send it with the header{' '}
          <Code>Idempotency-Key</Code> and a text of your own, such as a UUID, and it may be sent again: for
          24 hours the same request with the same key and token is carried out once, and answered as the first
          time, with the header <Code>Idempotent-Replayed: true</Code>. Secrets that are shown once are in
          that answer too; it is kept encrypted under your key, which we do not store.
        </P>
        <P>
          Where nothing was done, as the input was wrong or a right was missing, the key is free again. While
          the first request is being carried out, another gets <Code>CONFLICT</Code>; the key with another
          query or other variables gets <Code>BAD_REQUEST</Code>.
        </P>
      </DocsSection>
      <DocsSection id="follow" title="As it happens">
        <Following example={followSnippet(readSnippetValues())} />
      </DocsSection>
      <DocsSection id="types" title="Types">
        {kinds.map(([kind, title]) => {
          const members = types.filter((type) => type.kind === kind)
          if (members.length === 0) return null
          return (
            <div key={kind} className="grid gap-2">
              <h3 className="font-medium text-sm">{title}</h3>
              <ul className="flex flex-wrap gap-x-4 gap-y-1.5 font-mono text-[13px]">
                {members.map(({ name }) => (
                  <li key={name}>
                    <TextAnchor href={`/docs/graphql/${name}`}>{name}</TextAnchor>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </DocsSection>
    </DocsArticle>
  )
}
