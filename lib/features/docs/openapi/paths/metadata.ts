import { answer } from '../answers'
import type { Operation, PathItem } from '../types'

const authorizationServer = (operationId: string, summary: string): PathItem => ({
  get: {
    operationId,
    tags: ['Metadata'],
    summary,
    security: [{}],
    responses: { '200': answer('Every endpoint, the keys and the scopes.', 'AuthorizationServerMetadata') },
  },
})

const protectedResource = (operationId: string, summary: string): PathItem => ({
  get: {
    operationId,
    tags: ['Metadata'],
    summary,
    security: [{}],
    responses: { '200': answer('Which issuer to ask for a token.', 'ProtectedResourceMetadata') },
  } satisfies Operation,
})

/** One document at every address where clients look for it. */
export const metadataPaths: Record<string, PathItem> = {
  '/oauth/.well-known/openid-configuration': authorizationServer(
    'openidConfiguration',
    'Discovery (OpenID Connect Discovery 1.0)',
  ),
  '/oauth/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerBelowIssuer',
    'The same below the issuer',
  ),
  '/.well-known/oauth-authorization-server/oauth': authorizationServer(
    'authorizationServerMetadata',
    'The same where RFC 8414 puts it',
  ),
  '/.well-known/openid-configuration/oauth': authorizationServer(
    'openidConfigurationByRfc8414',
    'The same where RFC 8414 section 5 puts it',
  ),
  '/.well-known/oauth-authorization-server': authorizationServer(
    'authorizationServerAtRoot',
    'The same for clients that drop the path of the issuer',
  ),
  '/.well-known/oauth-protected-resource': protectedResource(
    'protectedResourceMetadata',
    'The API and who gives tokens for it (RFC 9728)',
  ),
  '/.well-known/oauth-protected-resource/graphql/v2': protectedResource(
    'graphqlResourceMetadata',
    'The same for the GraphQL endpoint',
  ),
  '/.well-known/oauth-protected-resource/mcp': protectedResource(
    'mcpResourceMetadata',
    'The same for agents’ tools',
  ),
}
