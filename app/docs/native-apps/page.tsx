import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P, Steps } from '@/components/docs/prose'
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
      lead="Mobile apps, desktop apps, and single-page apps use PKCE because they can’t keep a secret."
    >
      <DocsSection id="register" title="Register the app">
        <Steps>
          <li>
            In a workspace, go to <MenuPath>Settings &gt; Developer</MenuPath>, choose New OAuth App, and
            select the type Native.
          </li>
          <li>
            Enter the redirect URIs for your platform:
            <div className="mt-2">
              <Bullets>
                <li>
                  Desktop: <Code>http://127.0.0.1/callback</Code>. A URI without a port matches any port, so
                  the app can use any free port. Use <Code>127.0.0.1</Code>, not <Code>localhost</Code>.
                </li>
                <li>
                  Mobile: an https URL that the system opens in your app, or a custom scheme. Use a
                  reverse-domain scheme, such as <Code>com.example.app:/callback</Code>.{' '}
                  <Code>myapp://callback</Code> also works, but other apps on the device can claim it.
                </li>
                <li>
                  Single-page app: the https URL of the page that handles the response. The page’s origin can
                  then call <Code>/oauth/token</Code> and <Code>/oauth/me</Code> (CORS).
                </li>
              </Bullets>
            </div>
          </li>
        </Steps>
      </DocsSection>
      <DocsSection id="sign-in" title="Sign users in">
        <P>
          Open the system browser, never an embedded browser. Users trust the system browser and might already
          be signed in there. The following is a complete desktop app. To run it, use{' '}
          <Code>npm install openid-client</Code> and <Code>node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={nativeAppSnippet({ ...values, redirectUri: loopbackRedirectUri })} />
      </DocsSection>
      <DocsSection id="mobile" title="On a phone">
        <P>
          Use AppAuth on iOS and Android. It opens the system browser. Register the redirect URI{' '}
          <Code>com.example.app:/callback</Code>, then declare it in your app: under{' '}
          <Code>CFBundleURLSchemes</Code> on iOS, or as <Code>appAuthRedirectScheme</Code> in the Gradle file
          on Android.
        </P>
        <CodeBlock title="SignIn.swift" code={appAuthSwiftSnippet(values)} />
        <CodeBlock title="SignIn.kt" code={appAuthKotlinSnippet(values)} />
        <P className="text-muted">These two samples aren’t tested.</P>
      </DocsSection>
      <DocsSection id="single-page" title="Single-page app">
        <P>
          Run <Code>npm install oidc-client-ts</Code>. The following script requires a page with an element{' '}
          <Code>#who</Code> and the buttons <Code>#sign-in</Code> and <Code>#sign-out</Code>. Register the URL
          that users return to after sign-out in the app’s settings.
        </P>
        <CodeBlock
          title="app.js"
          code={singlePageAppSnippet({ ...values, redirectUri: 'https://app.example.com/callback' })}
        />
        <P>
          Use the refresh token to get a new access token. A hidden frame with <Code>prompt=none</Code>{' '}
          doesn’t work because apps without a secret always need consent.
        </P>
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>
            Don’t send a <Code>client_secret</Code>: requests that contain one are rejected.
          </li>
          <li>
            The refresh token changes with every use. Store the new one immediately, in the system keychain.
            If you don’t receive the response, send the old token again within 30 seconds to get the same
            response. After that, using the old token is treated as theft and revokes the authorization.
          </li>
          <li>Users must consent at every sign-in because the app’s identity can’t be verified.</li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
