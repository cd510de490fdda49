import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Following } from '@/components/docs/examples'
import { Code, DocsArticle, DocsSection, Fold, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { type Reference, reference } from '@/lib/edges/graphql/reference/reference'
import { followSnippet, projectsSnippet } from '@/lib/features/docs/snippets/curl'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'GraphQL' }

type Types = Reference['types']

const kinds: [Types[number]['kind'], string][] = [
  ['object', 'Objects'],
  ['interface', 'Interfaces'],
  ['union', 'Unions'],
  ['input', 'Inputs'],
  ['enum', 'Enums'],
  ['scalar', 'Scalars'],
]

/** Whether a type only wraps the rows of a list or the result of a mutation. */
const isWrapper = ({ kind, name }: Types[number]) =>
  kind === 'object' && /(Connection|Edge|Payload)$/.test(name)

export default function GraphQLPage() {
  const { types } = reference()
  return (
    <DocsArticle title="GraphQL" lead="One endpoint for everything: POST /graphql/v2 with a token.">
      <DocsSection id="call" title="A request">
        <P>
          Send JSON with <Code>query</Code> and, if needed, <Code>variables</Code>. Lists are paginated: set{' '}
          <Code>first</Code> to the page size. To get the next page, set <Code>after</Code> to the{' '}
          <Code>endCursor</Code> of the previous page. You can introspect the schema without a token. All
          operations are listed under <TextAnchor href="/docs/reference">Operations</TextAnchor>, and errors
          are explained under <TextAnchor href="/docs/errors#graphql">Errors</TextAnchor>. Every response
          includes the operation’s cost and your limit in <Code>extensions.cost</Code>.
        </P>
        <CodeBlock title="A request with variables" code={projectsSnippet(readSnippetValues())} />
      </DocsSection>
      <DocsSection id="again" title="Retry a request">
        <P>
          If you get no response to a mutation, you can’t know whether it was executed. Send the header{' '}
          <Code>Idempotency-Key</Code> with a unique value, such as a UUID, to retry safely. For 24 hours, the
          same request with the same key and token is executed only once. A retry returns the first response
          with the header <Code>Idempotent-Replayed: true</Code>, including any secrets, which are otherwise
          returned only once. The stored response is encrypted with your key. We don’t store the key.
        </P>
        <P>
          If the request changed nothing, because the input was invalid or a permission was missing, you can
          reuse the key. While the first request is running, a second request with the same key returns{' '}
          <Code>CONFLICT</Code>. If you reuse the key with a different query or different variables, the API
          returns <Code>BAD_REQUEST</Code>.
        </P>
      </DocsSection>
      <DocsSection id="follow" title="Subscriptions">
        <Following example={followSnippet(readSnippetValues())} />
      </DocsSection>
      <DocsSection id="types" title="Types">
        {kinds.map(([kind, title]) => {
          const members = types.filter((type) => type.kind === kind)
          if (members.length === 0) return null
          return (
            <div key={kind} className="grid gap-2">
              <h3 className="font-medium text-sm">{title}</h3>
              <TypeLinks types={members.filter((type) => !isWrapper(type))} />
              {members.some(isWrapper) && (
                <Fold title="Connections, edges, and payloads">
                  <TypeLinks types={members.filter(isWrapper)} />
                </Fold>
              )}
            </div>
          )
        })}
      </DocsSection>
    </DocsArticle>
  )
}

const TypeLinks = ({ types }: { types: Types }) => (
  <ul className="gap-x-6 font-mono text-[13px] sm:columns-2 md:columns-1 lg:columns-2 xl:columns-3">
    {types.map(({ name }) => (
      <li key={name} className="break-inside-avoid pb-1">
        <TextAnchor href={`/docs/graphql/${name}`}>{name}</TextAnchor>
      </li>
    ))}
  </ul>
)
