import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P, Steps } from '@/components/docs/prose'
import {
  appAuthKotlinSnippet,
  appAuthSwiftSnippet,
  nativeAppSnippet,
  singlePageAppSnippet,
} from '@/lib/features/docs/snippets/native-app'
import { loopbackRedirectUri } from '@/lib/features/docs/snippets/values'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Native apps' }

export default function NativeAppsPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Native apps"
      lead="Mobile and desktop apps, and apps that live in the browser alone, have no secret. PKCE protects them."
    >
      <DocsSection id="register" title="Register the app">
        <Steps>
          <li>In the settings of a workspace, section Developer, choose New OAuth App and type Native.</li>
          <li>Give the redirect URIs that fit the platform:</li>
        </Steps>
        <Bullets>
          <li>
            Desktop: <Code>http://127.0.0.1/callback</Code>. Without a port, any port works, so the app can
            take a free one. Write <Code>127.0.0.1</Code>, not <Code>localhost</Code>.
          </li>
          <li>
            Mobile: an https address that the system hands to your app, or a scheme of your own. Best is your
            domain turned around, such as <Code>com.example.app:/callback</Code>;{' '}
            <Code>myapp://callback</Code> works too, but another app on the device may claim the same.
          </li>
          <li>
            Browser only: the https address of the page that reads the answer. Its origin may then call{' '}
            <Code>/oauth/token</Code> and <Code>/oauth/me</Code> (CORS).
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="sign-in" title="Sign people in">
        <P>
          Open the system’s browser, never an embedded one: people trust it, and they may be signed in
          already. This is a whole desktop app; run <Code>npm install openid-client</Code> and{' '}
          <Code>node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={nativeAppSnippet({ ...values, redirectUri: loopbackRedirectUri })} />
      </DocsSection>
      <DocsSection id="mobile" title="On a phone">
        <P>
          AppAuth does it on iOS and Android, in the system’s browser. Register the redirect URI{' '}
          <Code>com.example.app:/callback</Code>, and tell the system that it is yours: under{' '}
          <Code>CFBundleURLSchemes</Code> on iOS, as <Code>appAuthRedirectScheme</Code> in the Gradle file on
          Android.
        </P>
        <CodeBlock title="SignIn.swift" code={appAuthSwiftSnippet(values)} />
        <CodeBlock title="SignIn.kt" code={appAuthKotlinSnippet(values)} />
        <P className="text-muted">Not run by hand yet; not part of our tests.</P>
      </DocsSection>
      <DocsSection id="single-page" title="In the browser alone">
        <P>
          A single-page app does the same with <Code>npm install oidc-client-ts</Code>. This is its script;
          the page has an element <Code>#who</Code> and the buttons <Code>#sign-in</Code> and{' '}
          <Code>#sign-out</Code>. Register the address people return to after signing out in the app’s
          settings.
        </P>
        <CodeBlock
          title="app.js"
          code={singlePageAppSnippet({ ...values, redirectUri: 'https://app.example.com/callback' })}
        />
        <P>
          The refresh token renews the access token. A hidden frame with <Code>prompt=none</Code> cannot: an
          app without a secret is always asked for consent.
        </P>
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            Send no <Code>client_secret</Code>: a request with one is refused.
          </li>
          <li>
            The refresh token changes with every use. Keep the new one at once, in the system’s keychain. If
            an answer got lost, sending the old one again within 30 seconds gives the same answer once more;
            later it counts as stolen and ends the sign-in.
          </li>
          <li>
            People are asked for consent on every sign-in, because nobody can prove which app is asking.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
