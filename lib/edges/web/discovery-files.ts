import type { Config } from '@/lib/base/config/env'
import { docsNavigation } from '@/lib/features/docs/navigation'

type Settings = Pick<Config, 'BASE_URL' | 'serviceName' | 'helpUrl'>

const text = (body: string, type = 'text/plain'): Response =>
  new Response(body, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=3600' },
  })

/** Handles GET /llms.txt: describes this instance to agents and links to its docs (llmstxt.org). */
export function answerLlms({ BASE_URL, serviceName }: Settings): Response {
  const guides = docsNavigation.map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map(({ title: name, href, summary }) => `- [${name}](${BASE_URL}${href}.md): ${summary}`).join('\n')}`,
  )
  return text(
    [
      `# ${serviceName}`,
      `> Sign-in (OAuth 2.0, OpenID Connect), consent, API tokens, and one GraphQL API. Register a client with POST ${BASE_URL}/oauth/register, then send the user to ${BASE_URL}/oauth/auth.`,
      [
        `- Model Context Protocol: ${BASE_URL}/mcp is the only URL that a client needs; [entry for registries](${BASE_URL}/mcp/server.json)`,
        `- GraphQL API: POST ${BASE_URL}/graphql/v2; [schema](${BASE_URL}/schema.graphql)`,
        `- [Metadata of the authorization server](${BASE_URL}/.well-known/oauth-authorization-server)`,
        `- [Metadata of the API](${BASE_URL}/.well-known/oauth-protected-resource)`,
        `- [OpenAPI description of the OAuth endpoints](${BASE_URL}/openapi.json)`,
      ].join('\n'),
      ...guides,
    ]
      .join('\n\n')
      .concat('\n'),
    'text/markdown',
  )
}

/**
 * Handles GET /mcp/server.json: returns the entry for Model Context Protocol registries. The entry's name
 * consists of the reversed host name and `/mcp`.
 */
export const answerMcpServer = ({ BASE_URL, serviceName }: Settings): Response =>
  text(`${JSON.stringify(describeMcpServer(BASE_URL, serviceName), null, 2)}\n`, 'application/json')

const describeMcpServer = (baseUrl: string, name: string) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/mcp`,
  title: name,
  description: 'Workspaces, projects, variables, and OAuth apps of the signed-in user.',
  version: '2.0.0',
  websiteUrl: `${baseUrl}/docs/agents`,
  remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }],
})

/**
 * The number of days after which security.txt expires (RFC 9116 section 2.5.5 recommends less than a year).
 */
const goodForDays = 90

/**
 * Handles GET /.well-known/security.txt (RFC 9116), which contains the contact for vulnerability reports. The
 * contact is the instance's help page, or the instance's start page if no help page is configured.
 */
export function answerSecurity({ BASE_URL, helpUrl }: Settings, now = new Date()): Response {
  const expires = new Date(now.getTime() + goodForDays * 86_400_000).toISOString()
  return text(
    `Contact: ${new URL(helpUrl ?? '/', BASE_URL).href}\nExpires: ${expires}\nCanonical: ${BASE_URL}/.well-known/security.txt\n`,
  )
}

/**
 * Handles GET /.well-known/change-password: redirects to the account's security page. Password managers open
 * this URL when a user wants to change a password.
 */
export const answerChangePassword = (): Response =>
  new Response(null, { status: 302, headers: { location: '/account/security', 'cache-control': 'no-store' } })
