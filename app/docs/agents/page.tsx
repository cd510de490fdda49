import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import {
  claudeCodeSnippet,
  clientDocumentSnippet,
  mcpServersSnippet,
} from '@/lib/features/docs/snippets/agents'
import {
  challengeSnippet,
  registerSnippet,
  resourceMetadataSnippet,
  serverMetadataSnippet,
} from '@/lib/features/docs/snippets/curl'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Agents' }

export default function AgentsPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Agents"
      lead="Connect an agent with one URL. The agent discovers how to request access and what it can do."
    >
      <DocsSection id="connect" title="Connect an agent">
        <P>
          The URL is <Code>{values.baseUrl}/mcp</Code>, a Model Context Protocol server over Streamable HTTP.
          Add it to your agent as a remote or custom server. The agent opens a browser so you can sign in and
          choose its access. You don’t need to register anything first.
        </P>
        <P>
          <TextAnchor href="/account/agents">Connect an agent</TextAnchor> in the console shows the command,
          link, or file for Claude, Cursor, VS Code, Codex, ChatGPT, Gemini CLI, and other clients. It also
          shows when your agent is connected.
        </P>
        <CodeBlock title="Claude Code" code={claudeCodeSnippet(values)} />
        <CodeBlock title="Clients with a configuration file" code={mcpServersSnippet(values)} />
        <Bullets>
          <li>
            The agent starts with read access. When you use a tool that makes changes, the agent requests
            additional scopes. The consent page marks the new scopes.
          </li>
          <li>
            The server’s tools are operations of the GraphQL API and have the same limits and errors. The{' '}
            <Code>Idempotency-Key</Code> header works the same way.
          </li>
          <li>
            The workspace’s audit log lists each change with the agent’s name, your name, the tool, and the
            names of its arguments. <MenuPath>Account &gt; Authorized apps</MenuPath> lists the agent’s recent
            activity, including reads and failed requests.
          </li>
          <li>
            If your workspace has{' '}
            <TextAnchor href="/docs/apps-in-workspaces#required-approvals">required approvals</TextAnchor>,
            you must approve each sensitive action on an approval page. The agent receives the URL of that
            page.
          </li>
          <li>
            The server also offers resources (the schema, these pages, your projects) and prompts to clients
            that support them.
          </li>
          <li>
            These pages are available as Markdown: add <Code>.md</Code> to the URL, or send{' '}
            <Code>Accept: text/markdown</Code>. <Code>{values.baseUrl}/llms.txt</Code> lists the pages, the
            GraphQL schema, and the OpenAPI description. <Code>{values.baseUrl}/mcp/server.json</Code> is the
            entry for MCP server registries, which verify the host through DNS or a file.
          </li>
          <li>
            You can revoke the agent’s access at any time under{' '}
            <MenuPath>Account &gt; Authorized apps</MenuPath>. After that, the agent’s next request is
            rejected.
          </li>
          <li>
            An agent that <TextAnchor href="/docs/sso">your organization</TextAnchor> manages has access
            without a consent page. <MenuPath>Account &gt; Authorized apps</MenuPath> lists it as managed by
            the workspace. Workspace admins can remove it.
          </li>
        </Bullets>
        <P>The rest of this page is for developers of MCP clients.</P>
      </DocsSection>
      <DocsSection id="discover" title="1. Discover the server">
        <P>
          A request without a token returns <Code>UNAUTHENTICATED</Code> and a <Code>WWW-Authenticate</Code>{' '}
          header with the URL of the metadata (RFC 9728). At <Code>/mcp</Code> the status is 401, or 403 with{' '}
          <Code>insufficient_scope</Code> if a tool needs more scopes than the token has. Request all the
          scopes listed in the challenge: the token’s current scopes and the missing ones. The GraphQL API
          returns 200 for authorization failures, so check the header.
        </P>
        <CodeBlock title="The challenge" code={challengeSnippet(values)} />
        <CodeBlock title="The API’s metadata" code={resourceMetadataSnippet(values)} />
        <CodeBlock title="The authorization server’s metadata" code={serverMetadataSnippet(values)} />
      </DocsSection>
      <DocsSection id="register" title="2. Register your client">
        <P>
          You can register without an account (RFC 7591). Loopback redirect URIs match on any port. Store the{' '}
          <Code>client_id</Code>. With the <Code>registration_access_token</Code>, you can read, change, and
          delete the registration at its <Code>registration_client_uri</Code> (RFC 7592).
        </P>
        <CodeBlock title="A registration" code={registerSnippet(values)} />
        <P>
          You can also skip registration and use the https URL of a document like this one as the client ID.
          The server fetches it when a user signs in, and the consent page shows its host.
        </P>
        <CodeBlock title="https://agent.example.com/client.json" code={clientDocumentSnippet()} />
      </DocsSection>
      <DocsSection id="ask" title="3. Request access">
        <P>
          The remaining steps are the same as in the native app flow: PKCE, the browser, and a loopback
          redirect. Send <Code>resource={values.baseUrl}/mcp</Code> (or <Code>/graphql/v2</Code>) in both
          requests if your library supports this optional parameter.
        </P>
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>MCP clients do all of this automatically.</li>
          <li>
            The consent page shows that the agent is self-registered and where it redirects. Users must
            consent at every sign-in.
          </li>
          <li>
            Request only the scopes that you need. For example, start with <Code>project:viewer</Code> and
            request <Code>project:member</Code> later. If a request is denied, the error names the missing
            scope.
          </li>
          <li>
            A registration is removed after 14 days if no user has authorized the client. If you get
            invalid_client, register again.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
