import { auditLogPaths } from './paths/audit-log'
import { authorizationPaths } from './paths/authorization'
import { devicePaths } from './paths/device'
import { graphqlPaths } from './paths/graphql'
import { healthPaths } from './paths/health'
import { logoutPaths } from './paths/logout'
import { mcpPaths } from './paths/mcp'
import { metadataPaths } from './paths/metadata'
import { registrationPaths } from './paths/registration'
import { tokenPaths } from './paths/token'
import { auditLogSchemas } from './schemas/audit-log'
import { graphqlSchemas } from './schemas/graphql'
import { mcpSchemas } from './schemas/mcp'
import { metadataSchemas } from './schemas/metadata'
import { oauthSchemas } from './schemas/oauth'
import { registrationSchemas } from './schemas/registration'
import { securitySchemes } from './security-schemes'
import type { OpenApiDocument } from './types'

/** The version of the interface (docs/contract.md, section 12); it changes with the interface, not with a release. See decision 060. */
const interfaceVersion = '2.0.0'

/**
 * Describes every HTTP endpoint for programs. Integration tests hold each recorded answer against it
 * (lib/testing/check-against-openapi.ts), so it says what the service does.
 * @param service its name and origin
 */
export const describeApi = (service: { name: string; baseUrl: string }): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: `${service.name} API`,
    version: interfaceVersion,
    summary: 'One GraphQL endpoint, and OAuth 2.0 / OpenID Connect to get tokens for it.',
    description: `Guides: ${service.baseUrl}/docs. The GraphQL schema can be read by introspection.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: service.baseUrl }],
  tags: [
    { name: 'GraphQL', description: 'The API itself.' },
    { name: 'Agents', description: 'The API as tools of the Model Context Protocol.' },
    { name: 'Authorization', description: 'Getting a person’s consent.' },
    { name: 'Tokens', description: 'Getting, checking and ending tokens.' },
    { name: 'Registration', description: 'Clients that register themselves.' },
    { name: 'Metadata', description: 'What clients discover.' },
    { name: 'Audit log', description: 'What happened, as files.' },
    { name: 'Health', description: 'For operators.' },
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
