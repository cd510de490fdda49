import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { config } from '@/lib/base/config/env'
import * as byHand from '@/lib/features/docs/snippets/curl'
import { deviceFlowSnippet, nativeAppSnippet } from '@/lib/features/docs/snippets/native-app'
import { placeholders, type SnippetValues } from '@/lib/features/docs/snippets/values'
import { webAppSnippet } from '@/lib/features/docs/snippets/web-app'
import { CodeBlock } from '../docs/code-block'
import { Code, P } from '../docs/prose'
import { Section } from '../ui/card'
import { TextLink } from '../ui/text-link'

type QuickstartApp = {
  id: string
  type: 'WEB' | 'NATIVE'
  redirectUris: string[]
  requirePushedAuthorization: boolean
}

/** Shows ready-to-run programs and commands that sign a user in to this app with its first redirect URI. */
export function QuickstartSection({ app }: { app: QuickstartApp }) {
  const [redirectUri] = app.redirectUris
  if (!redirectUri) return null
  const values: SnippetValues = {
    ...placeholders,
    baseUrl: config().BASE_URL,
    clientId: app.id,
    redirectUri,
    pushed: app.requirePushedAuthorization,
  }
  const web = app.type === 'WEB'
  return (
    <Section title="Quickstart" description="Sample code with your client ID and redirect URI filled in.">
      <div className="grid">{web ? <WebSnippets values={values} /> : <NativeSnippets values={values} />}</div>
      <P className="text-muted">
        <TextLink href={web ? '/docs/web-apps' : '/docs/native-apps'}>
          {web ? 'More about web apps' : 'More about native apps'}
        </TextLink>
      </P>
    </Section>
  )
}

const WebSnippets = ({ values }: { values: SnippetValues }) => (
  <>
    <Way title="Node.js with openid-client" open>
      <P>
        A complete app. Run <Code>npm install openid-client</Code>, set the environment variable{' '}
        <Code>CLIENT_SECRET</Code> to a client secret, then run <Code>node app.mjs</Code>.
      </P>
      <CodeBlock title="app.mjs" code={webAppSnippet(values)} />
    </Way>
    <Way title="curl">
      <P>
        Sign in step by step. Set the environment variable <Code>CLIENT_SECRET</Code> to a client secret.
      </P>
      {values.pushed ? (
        <PushedRequest values={values} />
      ) : (
        <CodeBlock title="Open in a browser" code={byHand.authorizationAddress(values)} />
      )}
      <P>
        The browser returns to the redirect URI with a <Code>code</Code> parameter. The code works once. Set{' '}
        <Code>CODE</Code> to it.
      </P>
      <CodeBlock title="Exchange the code" code={byHand.exchangeCodeSnippet(values)} />
      <WhoSignedIn values={values} />
    </Way>
  </>
)

const PushedRequest = ({ values }: { values: SnippetValues }) => (
  <>
    <CodeBlock title="Push the request" code={byHand.pushRequestSnippet(values)} />
    <P>
      This app requires pushed requests with the secret and the <Code>client_id</Code>. Replace{' '}
      <Code>REQUEST_URI</Code> with the <Code>request_uri</Code> from the response. It works once, for one
      minute.
    </P>
    <CodeBlock title="Open in a browser" code={byHand.pushedAddress(values)} />
  </>
)

const NativeSnippets = ({ values }: { values: SnippetValues }) => (
  <>
    <Way title="Command line with device flow" open>
      <P>
        For tools, including over SSH and in containers. The user enters a short code in any browser. Run{' '}
        <Code>npm install openid-client</Code> and <Code>node login.mjs</Code>.
      </P>
      <CodeBlock title="login.mjs" code={deviceFlowSnippet(values)} />
    </Way>
    <Way title="Node.js with openid-client">
      <P>
        Signs in through the system browser and the redirect URI. Run <Code>npm install openid-client</Code>{' '}
        and <Code>node app.mjs</Code>.
      </P>
      <CodeBlock title="app.mjs" code={nativeAppSnippet(values)} />
    </Way>
    <Way title="curl">
      <CodeBlock title="Request a code" code={byHand.deviceCodeSnippet(values)} />
      <P>
        Open the <Code>verification_uri_complete</Code> from the response and authorize the app. Set the
        environment variable <Code>DEVICE_CODE</Code> to the <Code>device_code</Code> from the response.
      </P>
      <CodeBlock title="Fetch the tokens" code={byHand.pollDeviceSnippet(values)} />
      <WhoSignedIn values={values} />
    </Way>
  </>
)

const WhoSignedIn = ({ values }: { values: SnippetValues }) => (
  <>
    <P>
      Set <Code>ACCESS_TOKEN</Code> to the <Code>access_token</Code> from the response.
    </P>
    <CodeBlock title="Who signed in" code={byHand.whoSignedInSnippet(values)} />
  </>
)

/** One of several alternatives. The browser keeps one open, also without scripts. */
const Way = ({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) => (
  <details name="quickstart" open={open} className="group min-w-0 border-b first:border-t">
    <summary className="flex list-none items-center gap-1 rounded-control py-3 font-medium hover:text-link [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden className="size-4 text-muted group-open:rotate-90" />
      {title}
    </summary>
    <div className="grid gap-4 pb-5 [&>*]:min-w-0">{children}</div>
  </details>
)
