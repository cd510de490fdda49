import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P, Steps } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { graphqlSnippet, pushSnippet, refreshWithSecretSnippet } from '@/lib/features/docs/snippets/curl'
import { nextAuthSnippet, webAppSnippet } from '@/lib/features/docs/snippets/web-app'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Web apps' }

export default function WebAppsPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Web apps"
      lead="A server signs people in with the authorization code flow and keeps a client secret."
    >
      <DocsSection id="register" title="Register the app">
        <Steps>
          <li>Open the settings of a workspace of which you are an admin, section Developer.</li>
          <li>
            Choose New OAuth App, type Web, and give the redirect URI <Code>{values.redirectUri}</Code>.
          </li>
          <li>Copy the client id and the client secret. The secret is shown once.</li>
        </Steps>
      </DocsSection>
      <DocsSection id="sign-in" title="Sign people in">
        <P>
          This is a whole app. Save it as <Code>app.mjs</Code>, fill in the id, then run{' '}
          <Code>npm install openid-client</Code> and <Code>CLIENT_SECRET=… node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={webAppSnippet(values)} />
        <P>
          <TextAnchor href="/brand">A button for your page</TextAnchor> says where the sign-in leads.
        </P>
      </DocsSection>
      <DocsSection id="next-auth" title="With next-auth">
        <P>
          Apps with next-auth 4 need this provider alone. The redirect URI is then{' '}
          <Code>/api/auth/callback/latchkey</Code> on your app’s address.
        </P>
        <CodeBlock title="provider.mjs" code={nextAuthSnippet(values)} />
      </DocsSection>
      <DocsSection id="api" title="Call the API">
        <P>
          The access token lives for an hour and works for what the person selected. <Code>sub</Code> is the
          person’s id here; use it to find their account in your app, and never the email address, which can
          change.
        </P>
        <CodeBlock title="Who is signed in" code={graphqlSnippet(values)} />
        <CodeBlock title="A new access token" code={refreshWithSecretSnippet(values)} />
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            A refresh token is given only for <Code>offline_access</Code> together with{' '}
            <Code>prompt=consent</Code>, which shows the consent page every time. Once you keep one for a
            person, leave both out: a person who has agreed before then comes back at once.
          </li>
          <li>
            The redirect URI must match a registered one exactly. Register several, one for each environment.
          </li>
          <li>
            To sign a person out here as well, send the browser to <Code>/oauth/session/end</Code> with{' '}
            <Code>id_token_hint</Code> and a <Code>post_logout_redirect_uri</Code> that is registered under
            Sign-out URIs. Your app’s tokens go on working until you revoke them.
          </li>
          <li>PKCE is recommended for web apps too; the program above uses it.</li>
          <li>
            The <Code>id_token</Code> is signed with RS256, which libraries expect; choose ES256 or EdDSA in
            the app’s settings if yours expects another.
          </li>
          <li>
            Several secrets can be live at once: add the new one, deploy, then revoke the old one. A secret
            may have a name and an end, of which the admins are told a week before.{' '}
            <TextAnchor href="/docs/errors">What an error means.</TextAnchor>
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="trust" title="Say who you are">
        <Bullets>
          <li>
            Prove your domain in the app’s settings, by a TXT record or a file: people then see it where the
            app asks for something. The proof is looked for every day, so leave it where it is. It counts for
            a week after it is gone, and you are told.
          </li>
          <li>
            Verified is another mark: the instance admin of this service looked at the app and knows who runs
            it.
          </li>
          <li>
            When you ask for more than before, the consent page marks what is new since the person last
            agreed. Ask for little at first, and for more when you need it.
          </li>
          <li>
            Under Danger you offer the app to another workspace. Nothing changes until an admin there accepts;
            users stay signed in. Your secrets end when the new owners finish the transfer, at the latest
            after 7 days, and the instance admin looks at the app again.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="par" title="Keep the request out of the address bar">
        <P>
          Leave the parameters at <Code>/oauth/request</Code> first (RFC 9126) and send the browser to{' '}
          <Code>/oauth/auth</Code> with <Code>client_id</Code> and the <Code>request_uri</Code> from the
          answer. An app may be set to accept nothing else, and then must send its secret here.
        </P>
        <CodeBlock title="A pushed request" code={pushSnippet(values)} />
      </DocsSection>
    </DocsArticle>
  )
}
