import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { refreshSnippet } from '@/lib/features/docs/snippets/curl'
import { deviceFlowSnippet } from '@/lib/features/docs/snippets/native-app'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Command line' }

export default function CommandLinePage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Command line"
      lead="Your tool shows a short code. The user enters it in a browser on any device and authorizes the tool there."
    >
      <DocsSection id="register" title="Register the tool">
        <P>
          Create a Native app with the redirect URI <Code>http://127.0.0.1/callback</Code>, or let the tool
          register itself like an <TextAnchor href="/docs/agents">agent</TextAnchor>. You can include the
          client ID in the program: it isn’t secret.
        </P>
      </DocsSection>
      <DocsSection id="device" title="Sign in with the device flow">
        <P>
          The device flow works over SSH and in containers because the browser doesn’t redirect to the tool.
          Run <Code>npm install openid-client</Code> and <Code>node login.mjs</Code>.
        </P>
        <CodeBlock title="login.mjs" code={deviceFlowSnippet(values)} />
        <P>
          If a browser is available on the same machine, use the loopback flow of{' '}
          <TextAnchor href="/docs/native-apps">native apps</TextAnchor> instead.
        </P>
      </DocsSection>
      <DocsSection id="keep" title="Store the tokens">
        <Bullets>
          <li>
            Store the tokens in the system keychain, or in a file that only the user can read (mode 0600).
          </li>
          <li>
            Refresh the access token when it expires in less than a minute. Store the new refresh token before
            you do anything else.
          </li>
          <li>
            On <Code>invalid_grant</Code>, delete the tokens and ask the user to sign in again.
          </li>
        </Bullets>
        <CodeBlock title="A new access token" code={refreshSnippet(values)} />
      </DocsSection>
      <DocsSection id="polling" title="Poll manually">
        <P>
          Libraries do this for you. To do it yourself, send a request to <Code>/oauth/token</Code> every{' '}
          <Code>interval</Code> seconds. Until the user decides, the error is{' '}
          <Code>authorization_pending</Code>. If the error is <Code>slow_down</Code>, increase the interval by
          five seconds. If it is <Code>access_denied</Code> or <Code>expired_token</Code>, stop.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
