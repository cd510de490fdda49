import { appWebhookMessageSnippet } from '@/lib/features/docs/snippets/integrations'
import { appWebhookEvents } from '@/lib/features/webhooks/events'
import { TextAnchor } from '../ui/text-anchor'
import { CodeBlock } from './code-block'
import { FactsTable } from './facts-table'
import { Code, DocsSection, P } from './prose'

/** What an app's own endpoints are told. */
export const AppWebhookDocs = () => (
  <DocsSection id="webhooks" title="Webhooks">
    <P>
      Up to five addresses of your app are told what concerns it, wherever it happens. Set them in the app’s
      settings, or call <TextAnchor href="/docs/reference/webhooks#webhookCreate">webhookCreate</TextAnchor>{' '}
      with <Code>clientId</Code>. They are signed, tried again and sent once more like{' '}
      <TextAnchor href="/docs/webhooks">those of a workspace</TextAnchor>.
    </P>
    <FactsTable
      caption="Events of an app"
      columns={['Event', 'When']}
      rows={Object.entries(appWebhookEvents).map(([name, when]) => ({
        id: name.replace('.', '-'),
        cells: [<Code key="name">{name}</Code>, when],
      }))}
    />
    <CodeBlock title="The body of a POST" code={appWebhookMessageSnippet()} />
    <P>
      <Code>userId</Code> is the <Code>sub</Code> of the person whose permission it is;{' '}
      <Code>workspaceId</Code> is the workspace that installed your app, has its provider send it, or was
      taken back for everybody; <Code>installationId</Code> is the installation. What does not apply is null.
      Who did it is not told. A person who deletes their account, and a workspace that is deleted, end what
      was allowed without a message: your next request is refused.
    </P>
  </DocsSection>
)
