import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { introspectSnippet, userInfoSnippet, verifyIdTokenSnippet } from '@/lib/features/docs/snippets/curl'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Verify tokens' }

const answers = [
  {
    id: 'ask-who-signed-in',
    cells: ['Who signed in?', <Code key="id">id_token</Code>, 'Verify its signature and claims'],
  },
  {
    id: 'ask-still-works',
    cells: ['Does this token still work?', 'access token', <Code key="at">/oauth/token/introspection</Code>],
  },
  {
    id: 'ask-whose',
    cells: ['Whose token is it?', 'access token', <Code key="me">/oauth/me</Code>],
  },
  {
    id: 'ask-what-it-may',
    cells: ['What can it do?', 'any token', <Code key="ct">currentToken</Code>],
  },
]

export default function VerifyTokensPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Verify tokens"
      lead="Verify an ID token yourself to learn who signed in. To check an access token, introspect it."
    >
      <DocsSection id="which" title="Choose a token to check">
        <FactsTable
          caption="How to check tokens"
          columns={['You want to know', 'You have', 'Do this']}
          rows={answers}
        />
      </DocsSection>
      <DocsSection id="id-token" title="ID tokens">
        <P>
          OpenID Connect libraries verify ID tokens for you. To verify one yourself, run{' '}
          <Code>npm install jose</Code>:
        </P>
        <CodeBlock title="verify.mjs" code={verifyIdTokenSnippet(values)} />
        <Bullets>
          <li>
            <strong>Signature:</strong> verify it with the key in <Code>/oauth/jwks</Code> that has the same{' '}
            <Code>kid</Code>. Keys are rotated: fetch the key set again when you get an unknown{' '}
            <Code>kid</Code>, but not for every token.
          </li>
          <li>
            <strong>Algorithm:</strong> accept only your app’s signing algorithm (default: RS256). Never trust
            the algorithm in the token’s header alone.
          </li>
          <li>
            <strong>Claims:</strong> <Code>iss</Code> is this instance’s issuer, <Code>aud</Code> is your
            client ID, <Code>exp</Code> is in the future, and <Code>nonce</Code> is the value that you sent
            with this sign-in.
          </li>
          <li>
            <strong>Account:</strong> use <Code>sub</Code>, which never changes, not the email address.
          </li>
          <li>An ID token is for your app. Don’t use it to authenticate to an API.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="access-token" title="Access tokens">
        <P>
          Access tokens for the GraphQL API are opaque, so you can’t decode them. Your app can introspect only
          its own tokens. Other apps’ tokens are never reported as <Code>active</Code>.
        </P>
        <CodeBlock title="Check a token" code={introspectSnippet(values)} />
        <CodeBlock title="Get the user" code={userInfoSnippet(values)} />
        <P>
          A revoked token is rejected at the next request, so don’t cache the response for long. To get a
          token’s permissions, query <Code>currentToken</Code> in{' '}
          <TextAnchor href="/docs/graphql">GraphQL</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="webhooks" title="Webhook messages">
        <P>
          Messages are signed with the webhook’s secret. To verify them, see{' '}
          <TextAnchor href="/docs/webhooks">Webhooks</TextAnchor>.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
