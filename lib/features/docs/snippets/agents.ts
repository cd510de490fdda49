import type { SnippetValues } from './values'

/** A client that connects to /mcp, with setup instructions. */
export type AgentClient = {
  name: string
  /** The instructions, in up to three sentences. */
  words: string
  /** The text to copy and its title. */
  copy: { title: string; code: string }
  /**
   * A URL that opens the client's setup. If the client supports it, the URL contains the server's name and
   * URL. Undefined if the client has no such URL.
   */
  opens?: string
}

/** The server's name in the clients' configuration. */
const called = 'latchkey'

/** Returns the command that adds the server to Claude Code. */
export const claudeCodeSnippet = ({ baseUrl }: SnippetValues): string =>
  `claude mcp add --transport http ${called} ${baseUrl}/mcp\n`

/** Returns the configuration file that most clients support. */
export const mcpServersSnippet = ({ baseUrl }: SnippetValues): string =>
  `${JSON.stringify({ mcpServers: { [called]: { type: 'http', url: `${baseUrl}/mcp` } } }, null, 2)}\n`

/** Returns the most common clients, followed by instructions for all other clients. */
export function agentClients(values: SnippetValues): AgentClient[] {
  const url = `${values.baseUrl}/mcp`
  const address = { title: 'The address', code: `${url}\n` }
  return [
    {
      name: 'Claude Code',
      words: 'Run this command, then run /mcp in a session to sign in.',
      copy: { title: 'In a terminal', code: claudeCodeSnippet(values) },
    },
    {
      name: 'Claude',
      words:
        'In Settings, under Connectors, add a custom connector with this URL. Anthropic’s servers connect to the URL, so it must be public.',
      copy: address,
      opens: 'https://claude.ai/settings/connectors',
    },
    {
      name: 'Cursor',
      words: 'Use the link to open Cursor, or add this to ~/.cursor/mcp.json.',
      copy: { title: '~/.cursor/mcp.json', code: mcpServersSnippet(values) },
      opens: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name: called,
        config: Buffer.from(JSON.stringify({ url })).toString('base64'),
      })}`,
    },
    {
      name: 'VS Code',
      words: 'Use the link to open VS Code, or run this command.',
      copy: {
        title: 'In a terminal',
        code: `code --add-mcp '${JSON.stringify({ name: called, type: 'http', url })}'\n`,
      },
      opens: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: called, type: 'http', url }))}`,
    },
    {
      name: 'Codex',
      words: 'Run both commands. The second one opens a browser so that you can sign in.',
      copy: {
        title: 'In a terminal',
        code: `codex mcp add ${called} --url ${url}\ncodex mcp login ${called}\n`,
      },
    },
    {
      name: 'ChatGPT',
      words:
        'Turn on developer mode. Then, in Settings, under Apps & Connectors, create a connector with this URL and OAuth. OpenAI’s servers connect to the URL, so it must be public.',
      copy: address,
      opens: 'https://chatgpt.com/#settings/Connectors',
    },
    {
      name: 'Gemini CLI',
      words: `Run this command, then run /mcp auth ${called} in a session to sign in.`,
      copy: { title: 'In a terminal', code: `gemini mcp add --transport http ${called} ${url}\n` },
    },
    {
      name: 'Any client',
      words:
        'Most clients with a configuration file accept this one. All other clients require only the URL.',
      copy: { title: 'mcp.json', code: mcpServersSnippet(values) },
    },
  ]
}

/**
 * Returns an example of the client ID metadata document that an agent's developer publishes. A test parses it
 * as JSON.
 */
export const clientDocumentSnippet = (): string => `{
  "client_id": "https://agent.example.com/client.json",
  "client_name": "My agent",
  "client_uri": "https://agent.example.com",
  "redirect_uris": ["http://127.0.0.1/callback"],
  "grant_types": ["authorization_code", "refresh_token"],
  "response_types": ["code"],
  "token_endpoint_auth_method": "none"
}
`
