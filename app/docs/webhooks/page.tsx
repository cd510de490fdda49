import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { WebhookDelivery } from '@/components/docs/examples'
import { FactsTable } from '@/components/docs/facts-table'
import { Bullets, Code, DocsArticle, DocsSection, P, Steps } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { webhookMessageSnippet, webhookReceiverSnippet } from '@/lib/features/docs/snippets/integrations'
import { webhookEvents } from '@/lib/features/webhooks/events'

export const metadata: Metadata = { title: 'Webhooks' }

export default function WebhooksPage() {
  return (
    <DocsArticle title="Webhooks" lead="An address of yours is told what happens in a workspace.">
      <DocsSection id="make" title="Make one">
        <Steps>
          <li>
            In the settings of a workspace of which you are an admin choose Webhooks, or call{' '}
            <TextAnchor href="/docs/reference/webhooks#webhookCreate">webhookCreate</TextAnchor>. The address
            is https on the public internet, port 443. A workspace has at most 20 webhooks.
          </li>
          <li>
            Keep the secret, <Code>whsec_…</Code>: it is shown once, and every message is signed with it.
          </li>
          <li>
            Send a test message (<Code>webhookTest</Code>, type <Code>webhook.test</Code>) and look at what
            came back.
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
          A webhook asks for single events or for a kind, such as <Code>project.*</Code>. An app’s access that
          shrinks, but does not end, is no <Code>app.revoked</Code>. An app has{' '}
          <TextAnchor href="/docs/your-app#webhooks">events of its own</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="messages" title="Messages">
        <CodeBlock title="The body of a POST" code={webhookMessageSnippet()} />
        <Bullets>
          <li>
            <Code>resource</Code> is what it happened to: a <Code>project</Code>, a <Code>user</Code>, an{' '}
            <Code>api_token</Code> or an <Code>authorization</Code>. Read it with the API; the message holds
            no personal data and no secret.
          </li>
          <li>
            <Code>actor</Code> says who did it and through what: <Code>kind</Code> is session, account-token,
            workspace-token, project-token, oauth, installation or system; <Code>id</Code> is the app’s or the
            token’s.
          </li>
          <li>
            <Code>details</Code> differ by event and may grow: a name, a role, the <Code>clientId</Code> of an
            app.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="verify" title="Check the signature">
        <P>
          Messages are signed as{' '}
          <a href="https://www.standardwebhooks.com" className="text-link underline">
            Standard Webhooks
          </a>{' '}
          has it, so its libraries check them: <Code>webhook-signature</Code> holds <Code>v1,</Code> and an
          HMAC with SHA-256 in base64 over <Code>webhook-id</Code>, <Code>webhook-timestamp</Code> and the
          body as it came, joined by dots. The key is what follows <Code>whsec_</Code>, in base64. Refuse a
          time more than five minutes off.
        </P>
        <CodeBlock title="receiver.mjs" code={webhookReceiverSnippet()} />
      </DocsSection>
      <WebhookDelivery />
    </DocsArticle>
  )
}
