import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
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
      lead="Give an agent one address. It finds out by itself how to ask a person for access, and what it can do then."
    >
      <DocsSection id="connect" title="Connect one">
        <P>
          The address is <Code>{values.baseUrl}/mcp</Code>, of a Model Context Protocol server over Streamable
          HTTP. Enter it where your agent takes a remote or custom server; it opens a browser for you to sign
          in and choose what it can reach. Nothing needs to be registered beforehand.
        </P>
        <P>
          <TextAnchor href="/account/agents">Connect an agent</TextAnchor> in the console has the command, the
          link or the file for Claude, Cursor, VS Code, Codex, ChatGPT, Gemini CLI and others, and shows when
          yours has arrived.
        </P>
        <CodeBlock title="Claude Code" code={claudeCodeSnippet(values)} />
        <CodeBlock title="Any client that is set up by a file" code={mcpServersSnippet(values)} />
        <Bullets>
          <li>
            It begins with what it takes to read. A tool that changes something asks you for more when it is
            used, and the consent page marks what is new.
          </li>
          <li>
            Its tools are operations of the GraphQL API under its limits and errors, and an{' '}
            <Code>Idempotency-Key</Code> counts here as it does there.
          </li>
          <li>
            What it changed stands in the workspace’s audit log with its name and yours, the tool and the
            names of its arguments. What it did last, reading and refusals included, stands under Account &gt;
            Authorized apps.
          </li>
          <li>
            If your workspace has{' '}
            <TextAnchor href="/docs/apps-in-workspaces#required-approvals">required approvals</TextAnchor>,
            you approve each of these actions on a page here. The agent receives its address.
          </li>
          <li>
            Beside tools it has resources (the schema, these pages, your projects) and a few prompts, for
            clients that show them.
          </li>
          <li>
            These pages are there as Markdown: with <Code>.md</Code> at the end of the address, or by{' '}
            <Code>Accept: text/markdown</Code>. <Code>{values.baseUrl}/llms.txt</Code> lists them, with the
            GraphQL schema and the OpenAPI description. <Code>{values.baseUrl}/mcp/server.json</Code> is the
            entry for a registry of such servers; publishing it proves the host by DNS or by a file there.
          </li>
          <li>Take it back at any time under Account &gt; Authorized apps; its next request is refused.</li>
          <li>
            An <TextAnchor href="/docs/sso">SSO-managed agent</TextAnchor> asks nobody. It stands under
            Account &gt; Authorized apps as well, as managed by the workspace, whose admins take it out.
          </li>
        </Bullets>
        <P>The rest of this page is for who writes an agent’s client.</P>
      </DocsSection>
      <DocsSection id="discover" title="1. Discover the server">
        <P>
          A request without a token is answered with <Code>UNAUTHENTICATED</Code> and a{' '}
          <Code>WWW-Authenticate</Code> header that names the metadata (RFC 9728). At <Code>/mcp</Code> the
          status is 401, and 403 with <Code>insufficient_scope</Code> where a tool takes more than the token
          has. Ask for all scopes that the challenge names: those of the token and the missing ones. At the
          GraphQL API it is 200, as for every authorization failure there, so look at the header.
        </P>
        <CodeBlock title="The challenge" code={challengeSnippet(values)} />
        <CodeBlock title="The API’s metadata" code={resourceMetadataSnippet(values)} />
        <CodeBlock title="The authorization server’s metadata" code={serverMetadataSnippet(values)} />
      </DocsSection>
      <DocsSection id="register" title="2. Register your client">
        <P>
          Register without an account (RFC 7591). Loopback redirects match on any port. Keep the{' '}
          <Code>client_id</Code>; the <Code>registration_access_token</Code> lets you read, change and delete
          the registration at its <Code>registration_client_uri</Code> (RFC 7592).
        </P>
        <CodeBlock title="A registration" code={registerSnippet(values)} />
        <P>
          Or use no registration at all: the https address of a document like this one is a client id too. It
          is fetched when someone signs in, and the consent page shows its host.
        </P>
        <CodeBlock title="https://agent.example.com/client.json" code={clientDocumentSnippet()} />
      </DocsSection>
      <DocsSection id="ask" title="3. Ask the user">
        <P>
          From here on it is the flow of a native app: PKCE, the browser, a loopback redirect. Send{' '}
          <Code>resource={values.baseUrl}/mcp</Code> (or <Code>/graphql/v2</Code>) in both requests if your
          library knows it; it is optional.
        </P>
      </DocsSection>
      <DocsSection id="good-to-know" title="Notes">
        <Bullets>
          <li>MCP clients do all of this by themselves.</li>
          <li>
            The consent page says that an agent registered itself and where it sends the person; it asks on
            every sign-in.
          </li>
          <li>
            Ask for as little as you need: <Code>project:viewer</Code> before <Code>project:member</Code>.
            When something is refused, the error names the scope that would allow it.
          </li>
          <li>
            Registrations that nobody ever authorized are removed after 14 days. Register again on
            invalid_client.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
