import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'
import { securitySchemes } from './answers'
import { auditLogPaths, graphqlPaths, healthPaths, mcpPaths } from './api-paths'
import { auditLogSchemas, graphqlSchemas, mcpSchemas } from './api-schemas'
import { logoutPaths, metadataPaths, registrationPaths } from './client-paths'
import { authorizationPaths, devicePaths, tokenPaths } from './oauth-paths'
import { metadataSchemas, oauthSchemas, registrationSchemas } from './oauth-schemas'
import type { OpenApiDocument } from './types'

/**
 * The version of the interface (docs/api/contract.md, section 12). Most releases do not change this version.
 */
const interfaceVersion = '2.0.0'

/**
 * Returns the OpenAPI document for the HTTP endpoints that programs use. Pages for users are not described.
 * Integration tests validate recorded responses against the document (lib/testing/check-against-openapi.ts),
 * so that it stays accurate.
 * @param service the instance's name and origin
 */
export const describeApi = (service: { name: string; baseUrl: string }): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: `${service.name} API`,
    version: interfaceVersion,
    summary: 'A GraphQL endpoint, and OAuth 2.0 / OpenID Connect to get tokens for it.',
    description: `Guides: ${service.baseUrl}/docs. Use introspection to read the GraphQL schema.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: service.baseUrl }],
  tags: [
    { name: 'GraphQL', description: 'The API itself.' },
    { name: 'Agents', description: 'The API as Model Context Protocol tools.' },
    { name: 'Authorization', description: 'Get a user’s consent.' },
    { name: 'Tokens', description: 'Get, check, and revoke tokens.' },
    { name: 'Registration', description: 'Dynamic client registration.' },
    { name: 'Metadata', description: 'Discovery documents.' },
    { name: 'Audit log', description: 'Audit events as files.' },
    { name: 'Health', description: 'Health checks for instance admins.' },
  ],
  paths: {
    ...graphqlPaths,
    ...mcpPaths,
    ...authorizationPaths,
    ...devicePaths,
    ...tokenPaths,
    ...registrationPaths,
    ...logoutPaths,
    ...metadataPaths,
    ...auditLogPaths,
    ...healthPaths,
  },
  components: {
    schemas: {
      ...graphqlSchemas,
      ...mcpSchemas,
      ...oauthSchemas,
      ...registrationSchemas,
      ...metadataSchemas,
      ...auditLogSchemas,
    },
    securitySchemes: securitySchemes(service.baseUrl),
  },
  security: [],
})

/** Returns the document as JSON. Caches the bytes until an instance admin renames the instance. */
function body(): Buffer {
  const { serviceName: name, BASE_URL } = config()
  const made = remember('openapi', () => ({ name: '', bytes: Buffer.alloc(0) }))
  if (made.name !== name) {
    Object.assign(made, {
      name,
      bytes: Buffer.from(JSON.stringify(describeApi({ name, baseUrl: BASE_URL }))),
    })
  }
  return made.bytes
}

/**
 * Returns the response to GET /openapi.json. The response allows all origins, so that any OpenAPI viewer can
 * load the document. Clients can cache the document for five minutes.
 */
export const answerOpenApi = (): Response =>
  new Response(new Uint8Array(body()), {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
  })
