import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { introspectSnippet, userInfoSnippet, verifyIdTokenSnippet } from '@/lib/features/docs/snippets/curl'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Verifying tokens' }

const answers = [
  {
    id: 'ask-who-signed-in',
    cells: ['Who has signed in?', <Code key="id">id_token</Code>, 'Verify its signature and claims'],
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
    cells: ['What may it do?', 'any token', <Code key="ct">currentToken</Code>],
  },
]

export default function VerifyTokensPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Verifying tokens"
      lead="An id_token says who signed in, and you check it yourself. An access token is ours to check: ask us."
    >
      <DocsSection id="which" title="Which one answers what">
        <FactsTable caption="What to ask" columns={['You want to know', 'You have', 'So']} rows={answers} />
      </DocsSection>
      <DocsSection id="id-token" title="An id_token">
        <P>
          OpenID Connect libraries do all of this. By hand, with <Code>npm install jose</Code>:
        </P>
        <CodeBlock title="verify.mjs" code={verifyIdTokenSnippet(values)} />
        <Bullets>
          <li>
            <strong>Signature:</strong> by the key of <Code>/oauth/jwks</Code> that <Code>kid</Code> names.
            Keys change: fetch the set again when you meet a <Code>kid</Code> you don’t know, and not for
            every token.
          </li>
          <li>
            <strong>Algorithm:</strong> the one your app is set to, RS256 unless you changed it. Never what
            the token says alone.
          </li>
          <li>
            <strong>Claims:</strong> <Code>iss</Code> is this service, <Code>aud</Code> is your client ID,{' '}
            <Code>exp</Code> is ahead, and <Code>nonce</Code> is the one you sent with this sign-in.
          </li>
          <li>
            <strong>Account:</strong> take <Code>sub</Code>, which never changes, and not the email address.
          </li>
          <li>An id_token is for your app. Don’t send it to an API as proof of anything.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="access-token" title="An access token">
        <P>
          It is random text that says nothing, so there is nothing to decode. Your app asks about its own
          tokens; another app’s are never <Code>active</Code>.
        </P>
        <CodeBlock title="Check a token" code={introspectSnippet(values)} />
        <CodeBlock title="Whose is it" code={userInfoSnippet(values)} />
        <P>
          Access that is taken away counts with the next request, so don’t keep an answer for long. What a
          token may do is <Code>currentToken</Code> in <TextAnchor href="/docs/graphql">GraphQL</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="webhooks" title="A webhook">
        <P>
          Messages are signed with a secret of the webhook:{' '}
          <TextAnchor href="/docs/webhooks">Webhooks</TextAnchor> shows how to check one.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
