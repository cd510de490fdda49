import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { ExplanationList } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { errorCodes } from '@/lib/base/errors/codes'
import { graphqlErrorCauses, oauthErrorCauses } from '@/lib/features/docs/error-causes'
import { errorAnswerSnippet } from '@/lib/features/docs/snippets/values'

export const metadata: Metadata = { title: 'Errors' }

const statusOf = (code: string) => errorCodes[code as keyof typeof errorCodes].graphql

export default function ErrorsPage() {
  const graphql = Object.entries(graphqlErrorCauses).map(([code, explanation]) => ({
    code,
    where: `Status ${statusOf(code)}`,
    ...explanation,
  }))
  const oauth = Object.entries(oauthErrorCauses).map(([code, explanation]) => ({ code, ...explanation }))
  return (
    <DocsArticle title="Errors" lead="What each error means and what to do about it.">
      <DocsSection id="graphql" title="GraphQL">
        <P>
          Errors are in the body: <Code>errors[].extensions.code</Code> is for programs, <Code>message</Code>{' '}
          for people. Failed authorization has status 200; malformed requests and queries that do not fit the
          schema have 400. Every answer carries a <Code>traceId</Code>, in the body and in the header{' '}
          <Code>x-trace-id</Code>: quote it when you report something.
        </P>
        <CodeBlock title="An answer with an error" code={errorAnswerSnippet()} />
        <ExplanationList entries={graphql} />
      </DocsSection>
      <DocsSection id="oauth" title="OAuth">
        <Bullets>
          <li>
            At <Code>/oauth/auth</Code> most errors come back to the redirect URI as <Code>error</Code>,{' '}
            <Code>error_description</Code> and <Code>state</Code>. Where that would not be safe, as for an
            unregistered redirect URI, the person sees a page.
          </li>
          <li>
            Elsewhere they are JSON: <Code>{'{ "error": ..., "error_description": ... }'}</Code> with status
            400, or 401 for wrong HTTP Basic credentials and dead access tokens.
          </li>
          <li>
            Every answer names its request in the header <Code>x-request-id</Code>, and a page shows it as
            Reference: quote it when you report something.
          </li>
          <li>
            The page of your app under Settings &gt; Developer lists its last failed requests with the reason.
          </li>
        </Bullets>
        <ExplanationList entries={oauth} />
      </DocsSection>
    </DocsArticle>
  )
}
