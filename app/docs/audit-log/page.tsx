import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { auditEventSnippet, auditExportSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Audit log' }

export default function AuditLogDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle title="Audit log" lead="What happened in a workspace: who did what, through what, when.">
      <DocsSection id="read" title="Read it">
        <P>
          An admin of a workspace finds it under Settings, Audit log. Programs read it with{' '}
          <TextAnchor href="/docs/reference/audit-log#auditLogs">auditLogs</TextAnchor>, page by page.
        </P>
      </DocsSection>
      <DocsSection id="export" title="Export it">
        <P>
          The page writes all that it lists to a file; a script does so with an API token of an admin. The
          oldest event comes first, and an export is an event itself.
        </P>
        <CodeBlock title="Export a month" code={auditExportSnippet(baseUrl)} />
        <Bullets>
          <li>
            <Code>format</Code> is <Code>ndjson</Code>, one JSON object a line, or <Code>csv</Code>, in which
            an apostrophe stands in front of what a spreadsheet would calculate.
          </li>
          <li>
            <Code>since</Code> and <Code>until</Code> are days in UTC, both included; <Code>action</Code> is
            one such as <Code>project.created</Code> or a kind such as <Code>project</Code>;{' '}
            <Code>person</Code> is an id. An action that there is not, or an end that is not after the
            beginning, is answered 400, in words.
          </li>
          <li>A connection that breaks off leaves an incomplete file: curl ends with an error then.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="stream" title="Stream it">
        <P>
          Under Settings, Audit log, Stream, an address of yours is sent every event within seconds: a POST
          with an array of up to 500 of them, signed as a{' '}
          <TextAnchor href="/docs/webhooks#verify">webhook’s message</TextAnchor> is.
        </P>
        <CodeBlock title="The body of a POST" code={auditEventSnippet()} />
        <Bullets>
          <li>Events come in the order in which they were recorded, and the next message after a 2xx.</li>
          <li>
            Anything else is tried again, after 10 seconds at first and at most an hour. After three days
            without success the stream stops and admins are mailed; what happens meanwhile is kept for 30
            days.
          </li>
          <li>
            An event may come twice: keep its <Code>id</Code>. All attempts at a message have the same{' '}
            <Code>webhook-id</Code>.
          </li>
          <li>The stream of a workspace that is deleted says so in its last event.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="fields" title="What an event says">
        <Bullets>
          <li>
            <Code>actorKind</Code> is session, account-token, workspace-token, project-token, oauth,
            installation or system; <Code>actorId</Code> is the app’s or the token’s.
          </li>
          <li>
            Names are those of the moment in which the event is written out; null where nobody knows them any
            more. Ids stay.
          </li>
          <li>
            <Code>details</Code> differ by action and may grow, like the fields. There is no secret in any of
            them. What an agent did through <Code>/mcp</Code> has <Code>tool</Code>, with its name and the
            names of its arguments.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
