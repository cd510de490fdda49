import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P, Steps } from '@/components/docs/prose'
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
      lead="Sign users in from a server with the authorization code flow and a client secret."
    >
      <DocsSection id="register" title="Register the app">
        <Steps>
          <li>
            In a workspace you administer, go to <MenuPath>Settings &gt; Developer</MenuPath>.
          </li>
          <li>
            Choose New OAuth App, select the type Web, and enter the redirect URI{' '}
            <Code>{values.redirectUri}</Code>.
          </li>
          <li>Copy the client ID and the client secret. The secret is shown only once.</li>
        </Steps>
      </DocsSection>
      <DocsSection id="sign-in" title="Sign users in">
        <P>
          The following is a complete app. Save it as <Code>app.mjs</Code>, fill in the client ID, then run{' '}
          <Code>npm install openid-client</Code> and <Code>CLIENT_SECRET=… node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={webAppSnippet(values)} />
        <P>
          Add a <TextAnchor href="/brand">sign-in button</TextAnchor> to your page.
        </P>
      </DocsSection>
      <DocsSection id="next-auth" title="With next-auth">
        <P>
          If your app uses next-auth 4, add only this provider. The redirect URI is{' '}
          <Code>/api/auth/callback/latchkey</Code> at your app’s URL.
        </P>
        <CodeBlock title="provider.mjs" code={nextAuthSnippet(values)} />
      </DocsSection>
      <DocsSection id="api" title="Call the API">
        <P>
          The access token is valid for one hour and gives access to the workspaces and projects that the user
          selected. <Code>sub</Code> is the user ID. Use it to find the user’s account in your app. Don’t use
          the email address, which can change.
        </P>
        <CodeBlock title="Who is signed in" code={graphqlSnippet(values)} />
        <CodeBlock title="A new access token" code={refreshWithSecretSnippet(values)} />
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            To get a refresh token, send <Code>offline_access</Code> with <Code>prompt=consent</Code>, which
            shows the consent page every time. After you store a refresh token for a user, omit both
            parameters. Users who already consented then return to your app immediately.
          </li>
          <li>The redirect URI must match a registered one exactly. Register one for each environment.</li>
          <li>
            To sign a user out of this instance too, send the browser to <Code>/oauth/session/end</Code> with{' '}
            <Code>id_token_hint</Code> and a <Code>post_logout_redirect_uri</Code> that is registered under
            Sign-out URIs. Your app’s tokens keep working until you revoke them.
          </li>
          <li>PKCE is also recommended for web apps. The example above uses it.</li>
          <li>
            By default, the ID token is signed with RS256, which most libraries expect. Choose ES256 or EdDSA
            in the app’s settings if your library requires it.
          </li>
          <li>
            An app can have several secrets. To rotate a secret, add a new one, deploy it, then revoke the old
            one. Secrets can have a name and an expiry date. Admins get an email a week before a secret
            expires. <TextAnchor href="/docs/errors">What an error means.</TextAnchor>
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="trust" title="Verify your app">
        <Bullets>
          <li>
            Verify your domain in the app’s settings with a TXT record or a file. Users then see the domain
            when the app requests access. We recheck it daily, so leave the record or file in place. If it’s
            missing, you’re notified, and the domain stays verified for one more week.
          </li>
          <li>“Verified” is a separate mark: an instance admin reviewed the app and knows who runs it.</li>
          <li>
            When you request more scopes than before, the consent page marks the new ones. Start with few
            scopes and request more when you need them.
          </li>
          <li>
            Under Danger, you can transfer the app to another workspace. Nothing changes until an admin of
            that workspace accepts. Users stay signed in. Your secrets stop working when the new owners finish
            the transfer, or after 7 days. An instance admin must verify the app again.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="par" title="Keep the request out of the address bar">
        <P>
          Push the parameters to <Code>/oauth/request</Code> first (RFC 9126). Then send the browser to{' '}
          <Code>/oauth/auth</Code> with <Code>client_id</Code> and the <Code>request_uri</Code> from the
          response. If your app requires pushed requests, it must also send its secret to{' '}
          <Code>/oauth/request</Code>.
        </P>
        <CodeBlock title="A pushed request" code={pushSnippet(values)} />
      </DocsSection>
    </DocsArticle>
  )
}
