import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { auditEventSnippet, auditExportSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Audit log' }

export default function AuditLogDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle title="Audit log" lead="See who did what in a workspace, when, and with which app or token.">
      <DocsSection id="read" title="Read it">
        <P>
          Admins can open the audit log under <MenuPath>Settings &gt; Audit log</MenuPath>. Programs can read
          it page by page with <TextAnchor href="/docs/reference/audit-log#auditLogs">auditLogs</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="export" title="Export it">
        <P>
          Export the listed events on the page, or use a script with an admin’s API token. The oldest event
          comes first. Each export is recorded as an event.
        </P>
        <CodeBlock title="Export a month" code={auditExportSnippet(baseUrl)} />
        <Bullets>
          <li>
            <Code>format</Code> is <Code>ndjson</Code> (one JSON object per line) or <Code>csv</Code>. In CSV
            files, cells that look like formulas are prefixed with an apostrophe.
          </li>
          <li>
            <Code>since</Code> and <Code>until</Code> are days in UTC, both inclusive. <Code>action</Code> is
            an action such as <Code>project.created</Code> or a kind such as <Code>project</Code>.{' '}
            <Code>user</Code> is a user ID. If the action is unknown or <Code>until</Code> is before
            <Code>since</Code>, the response has status 400 and an explanation.
          </li>
          <li>If the connection breaks, the file is incomplete and curl exits with an error.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="stream" title="Stream it">
        <P>
          Under <MenuPath>Settings &gt; Audit log &gt; Stream</MenuPath>, send every event to your own
          endpoint within seconds. Each POST contains an array of up to 500 events and is signed like a{' '}
          <TextAnchor href="/docs/webhooks#verify">webhook message</TextAnchor>.
        </P>
        <CodeBlock title="The body of a POST" code={auditEventSnippet()} />
        <Bullets>
          <li>
            Events are sent in the order in which they were recorded. The next message is sent only after the
            previous one gets a 2xx response.
          </li>
          <li>
            After any other response, the message is sent again: first after 10 seconds, later at least once
            an hour. After three days without success, the stream stops and admins get an email. Unsent events
            are kept for 30 days.
          </li>
          <li>
            An event can arrive twice: use its <Code>id</Code> to detect duplicates. All attempts to deliver a
            message have the same <Code>webhook-id</Code>.
          </li>
          <li>If the workspace is deleted, the deletion is the last event of its stream.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="fields" title="Event fields">
        <Bullets>
          <li>
            <Code>actorKind</Code> is session, account-token, workspace-token, project-token, oauth,
            installation, or system. <Code>actorId</Code> is the ID of the app or token.
          </li>
          <li>
            Names are looked up when the event is exported or sent, and are null if they are no longer known.
            IDs never change.
          </li>
          <li>
            The content of <Code>details</Code> depends on the action and never includes secrets. New keys and
            fields can be added at any time. For actions that agents perform through <Code>/mcp</Code>,{' '}
            <Code>tool</Code> contains the tool’s name and the names of its arguments.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
