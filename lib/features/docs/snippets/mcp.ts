import type { SnippetValues } from './values'

/** The command that adds the server to Claude Code. */
export const claudeCodeSnippet = ({ baseUrl }: SnippetValues): string =>
  `claude mcp add --transport http latchkey ${baseUrl}/mcp\n`

/** What most clients that are set up by a file understand. */
export const mcpServersSnippet = ({ baseUrl }: SnippetValues): string =>
  `${JSON.stringify({ mcpServers: { latchkey: { type: 'http', url: `${baseUrl}/mcp` } } }, null, 2)}\n`
