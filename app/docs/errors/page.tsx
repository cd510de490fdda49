import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { ExplanationList } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
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
    <DocsArticle title="Errors" lead="What each error means and how to fix it.">
      <DocsSection id="graphql" title="GraphQL">
        <P>
          Errors are in the <Code>errors</Code> array of the response body. Base your error handling on{' '}
          <Code>extensions.code</Code>, and show the <Code>message</Code> to the user. Authorization errors
          have status 200. Malformed requests and queries that don’t match the schema have status 400. Every
          response has a <Code>traceId</Code> in the body and in the header <Code>x-trace-id</Code>. Include
          it when you report a problem.
        </P>
        <CodeBlock title="A response with an error" code={errorAnswerSnippet()} />
        <ExplanationList entries={graphql} />
      </DocsSection>
      <DocsSection id="oauth" title="OAuth">
        <Bullets>
          <li>
            <Code>/oauth/auth</Code> returns most errors to the redirect URI as <Code>error</Code>,{' '}
            <Code>error_description</Code>, and <Code>state</Code>. If that isn’t safe, for example because
            the redirect URI isn’t registered, the user sees an error page instead.
          </li>
          <li>
            Other endpoints return JSON: <Code>{'{ "error": ..., "error_description": ... }'}</Code> with
            status 400, or 401 for invalid HTTP Basic credentials and invalid access tokens.
          </li>
          <li>
            Every response has the header <Code>x-request-id</Code>. Error pages show its value as the
            reference. Include it when you report a problem.
          </li>
          <li>
            Your app’s page under <MenuPath>Settings &gt; Developer</MenuPath> lists its recent failed
            requests with the reason.
          </li>
        </Bullets>
        <ExplanationList entries={oauth} />
      </DocsSection>
    </DocsArticle>
  )
}
