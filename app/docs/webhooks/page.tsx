import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { WebhookDelivery } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P, Steps } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { webhookMessageSnippet, webhookReceiverSnippet } from '@/lib/features/docs/snippets/integrations'
import { webhookEvents } from '@/lib/features/webhooks/events'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return (
    <DocsArticle title="Webhooks" lead="Get an HTTP request when something happens in a workspace.">
      <DocsSection id="make" title="Create a webhook">
        <Steps>
          <li>
            In a workspace you administer, go to <MenuPath>Settings &gt; Webhooks</MenuPath>, or call{' '}
            <TextAnchor href="/docs/reference/webhooks#webhookCreate">webhookCreate</TextAnchor>. The URL must
            be public and use https on port 443. A workspace can have up to 20 webhooks.
          </li>
          <li>
            Store the secret (<Code>whsec_…</Code>). It’s shown only once. Every message is signed with it.
          </li>
          <li>
            Send a test message (<Code>webhookTest</Code>, type <Code>webhook.test</Code>) and check the
            response.
          </li>
        </Steps>
      </DocsSection>
      <DocsSection id="events" title="Events">
        <FactsTable
          caption="Events"
          columns={['Event', 'When']}
          rows={Object.entries(webhookEvents).map(([name, when]) => ({
            id: name.replace('.', '-'),
            cells: [<Code key="name">{name}</Code>, when],
          }))}
        />
        <P>
          Subscribe to individual events or to all events of a type, such as <Code>project.*</Code>. If a user
          only reduces an app’s access, <Code>app.revoked</Code> isn’t sent. Apps have{' '}
          <TextAnchor href="/docs/your-app#webhooks">their own events</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="messages" title="Messages">
        <CodeBlock title="The body of a POST" code={webhookMessageSnippet()} />
        <Bullets>
          <li>
            <Code>resource</Code> is the affected resource, for example a <Code>project</Code>, a{' '}
            <Code>user</Code>, or an <Code>oauth_app</Code>. Read it with the API. Messages contain no
            personal data and no secrets.
          </li>
          <li>
            <Code>actor</Code> describes who made the change and how. <Code>kind</Code> is session,
            account-token, workspace-token, project-token, oauth, installation, or system. <Code>id</Code> is
            the ID of the app or token.
          </li>
          <li>
            <Code>details</Code> depends on the event, for example a name, a role, or the{' '}
            <Code>clientId</Code> of an app. New keys can be added at any time.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="verify" title="Verify the signature">
        <P>
          Messages are signed according to{' '}
          <a href="https://www.standardwebhooks.com" className="text-link underline">
            Standard Webhooks
          </a>
          , so you can verify them with its libraries. <Code>webhook-signature</Code> contains{' '}
          <Code>v1,</Code> and a base64 HMAC-SHA-256 of <Code>webhook-id</Code>,{' '}
          <Code>webhook-timestamp</Code>, and the raw body, joined by dots. The key is the base64 value after{' '}
          <Code>whsec_</Code>. Reject messages whose timestamp is more than five minutes off.
        </P>
        <CodeBlock title="receiver.mjs" code={webhookReceiverSnippet()} />
      </DocsSection>
      <WebhookDelivery />
    </DocsArticle>
  )
}
