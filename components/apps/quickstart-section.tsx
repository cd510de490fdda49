import type { ReactNode } from 'react'
import { config } from '@/lib/base/config/env'
import { addressOf } from '@/lib/edges/web/console/list-page'
import * as byHand from '@/lib/features/docs/snippets/curl'
import { deviceFlowSnippet, nativeAppSnippet } from '@/lib/features/docs/snippets/native-app'
import { placeholders, type SnippetValues } from '@/lib/features/docs/snippets/values'
import { webAppSnippet } from '@/lib/features/docs/snippets/web-app'
import { CodeBlock } from '../docs/code-block'
import { Code, P } from '../docs/prose'
import { Section } from '../ui/card'
import { segment, segments } from '../ui/cn'
import { Link, TextLink } from '../ui/link'

type QuickstartApp = {
  id: string
  type: 'WEB' | 'NATIVE'
  redirectUris: string[]
  requirePushedAuthorization: boolean
}

type Way = { key: string; label: string; show: (values: SnippetValues) => ReactNode }

/**
 * Shows a program or commands that sign a user in to this app. The app's client ID is filled in. If the
 * program uses a redirect URI, the app's first redirect URI is filled in. Renders nothing if the app has no
 * redirect URI. Users choose the language or tool through links, so that no JavaScript is needed and the page
 * contains only one program.
 */
export function QuickstartSection({
  app,
  way,
  path,
  kept,
}: {
  app: QuickstartApp
  /**
   * The key of the selected program, from the URL. If no program has this key, the first program is shown.
   */
  way: string
  path: string
  /** The page's other URL parameters, which the links keep. */
  kept: Record<string, string>
}) {
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
  const ways = web ? webWays : nativeWays
  const selected = ways.find(({ key }) => key === way) ?? (ways[0] as Way)
  return (
    <Section
      title="Quickstart"
      description={
        <>
          <span className="block text-balance">Your client ID and redirect URI are filled in.</span>
          <TextLink href={web ? '/docs/web-apps' : '/docs/native-apps'}>
            {web ? 'Web app guide' : 'Native app guide'}
          </TextLink>
        </>
      }
      action={
        <nav aria-label="Language" className={segments}>
          {ways.map(({ key, label }) => (
            <Link
              key={key}
              href={addressOf(path, { ...kept, code: key })}
              scroll={false}
              aria-current={key === selected.key ? 'true' : undefined}
              className={segment}
            >
              {label}
            </Link>
          ))}
        </nav>
      }
      flush
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4 [&_pre]:max-h-72 [&_pre]:whitespace-pre-wrap [&_pre]:wrap-anywhere">
        {selected.show(values)}
      </div>
    </Section>
  )
}

const PushedRequest = ({ values }: { values: SnippetValues }) => (
  <>
    <CodeBlock title="Push the request" code={byHand.pushRequestSnippet(values)} />
    <P>
      This app must push its authorization requests, authenticated with the <Code>client_id</Code> and a
      client secret. Replace <Code>REQUEST_URI</Code> with the <Code>request_uri</Code> from the response. The
      request URI can be used once and expires after one minute.
    </P>
    <CodeBlock title="Open in a browser" code={byHand.pushedAddress(values)} />
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

const webWays: Way[] = [
  {
    key: 'node',
    label: 'Node.js',
    show: (values) => (
      <>
        <P>
          Run <Code>npm install openid-client</Code>, set <Code>CLIENT_SECRET</Code> to a client secret, then
          run <Code>node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={webAppSnippet(values)} />
      </>
    ),
  },
  {
    key: 'curl',
    label: 'curl',
    show: (values) => (
      <>
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
          <Code>CODE</Code> to its value.
        </P>
        <CodeBlock title="Exchange the code" code={byHand.exchangeCodeSnippet(values)} />
        <WhoSignedIn values={values} />
      </>
    ),
  },
]

const nativeWays: Way[] = [
  {
    key: 'device',
    label: 'Command line',
    show: (values) => (
      <>
        <P>
          In the device flow, the user enters a short code in any browser. This also works for tools that run
          over SSH or in containers. Run <Code>npm install openid-client</Code> and{' '}
          <Code>node login.mjs</Code>.
        </P>
        <CodeBlock title="login.mjs" code={deviceFlowSnippet(values)} />
      </>
    ),
  },
  {
    key: 'node',
    label: 'Node.js',
    show: (values) => (
      <>
        <P>
          The following program signs users in through the system browser and the redirect URI. To run it, use{' '}
          <Code>npm install openid-client</Code> and <Code>node app.mjs</Code>.
        </P>
        <CodeBlock title="app.mjs" code={nativeAppSnippet(values)} />
      </>
    ),
  },
  {
    key: 'curl',
    label: 'curl',
    show: (values) => (
      <>
        <CodeBlock title="Request a code" code={byHand.deviceCodeSnippet(values)} />
        <P>
          Open the <Code>verification_uri_complete</Code> from the response and authorize the app. Set the
          environment variable <Code>DEVICE_CODE</Code> to the <Code>device_code</Code> from the response.
        </P>
        <CodeBlock title="Fetch the tokens" code={byHand.pollDeviceSnippet(values)} />
        <WhoSignedIn values={values} />
      </>
    ),
  },
]
