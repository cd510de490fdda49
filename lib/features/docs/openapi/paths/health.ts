import { answer } from '../answers'
import type { PathItem } from '../types'

export const healthPaths: Record<string, PathItem> = {
  '/healthz': {
    get: {
      operationId: 'alive',
      tags: ['Health'],
      summary: 'Whether the process is alive',
      security: [{}],
      responses: { '200': answer('It is.', 'Health') },
    },
  },
  '/readyz': {
    get: {
      operationId: 'ready',
      tags: ['Health'],
      summary: 'Whether the database answers and holds every migration',
      security: [{}],
      responses: { '200': answer('It is ready.', 'Health'), '503': answer('Not yet; the reason.', 'Health') },
    },
  },
  '/schema.graphql': {
    get: {
      operationId: 'graphqlSchema',
      tags: ['Metadata'],
      summary: 'The GraphQL schema as text',
      security: [{}],
      responses: {
        '200': {
          description: 'The schema definition language.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
    },
  },
  '/mcp/server.json': {
    get: {
      operationId: 'mcpServer',
      tags: ['Metadata'],
      summary: 'The entry for registries of the Model Context Protocol',
      security: [{}],
      responses: {
        '200': {
          description: 'A server.json.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: ['Metadata'],
      summary: 'This description',
      security: [{}],
      responses: {
        '200': {
          description: 'OpenAPI 3.1.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
}
