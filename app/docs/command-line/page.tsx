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
      lead="A tool shows a short code; the person types it into a browser on any device and decides there."
    >
      <DocsSection id="register" title="Register the tool">
        <P>
          Create a Native app with the redirect URI <Code>http://127.0.0.1/callback</Code>, or let the tool
          register itself as an <TextAnchor href="/docs/agents">agent</TextAnchor> does. The id may be part of
          the program; it is no secret.
        </P>
      </DocsSection>
      <DocsSection id="device" title="Sign in by device flow">
        <P>
          It works over SSH and in containers, because no browser has to come back to the tool. Run{' '}
          <Code>npm install openid-client</Code> and <Code>node login.mjs</Code>.
        </P>
        <CodeBlock title="login.mjs" code={deviceFlowSnippet(values)} />
        <P>
          Where there is a browser on the same machine, the loopback flow of{' '}
          <TextAnchor href="/docs/native-apps">native apps</TextAnchor> saves the typing.
        </P>
      </DocsSection>
      <DocsSection id="keep" title="Keep the tokens">
        <Bullets>
          <li>In the system’s keychain, or in a file that only the person can read (mode 0600).</li>
          <li>
            Refresh when less than a minute is left, and write the new refresh token down before doing
            anything else.
          </li>
          <li>
            On <Code>invalid_grant</Code> forget the tokens and ask to sign in again.
          </li>
        </Bullets>
        <CodeBlock title="A new access token" code={refreshSnippet(values)} />
      </DocsSection>
      <DocsSection id="polling" title="Polling by hand">
        <P>
          Libraries do this for you: ask <Code>/oauth/token</Code> every <Code>interval</Code> seconds. The
          answers are <Code>authorization_pending</Code> (go on), <Code>slow_down</Code> (wait five seconds
          longer each time), <Code>access_denied</Code> and <Code>expired_token</Code> (stop).
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
