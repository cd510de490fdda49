import { answer, challenge, json, rateLimit, redirect, retryAfter, traceId } from './answers'
import {
  type Header,
  type MediaTypes,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  ref,
} from './types'

/**
 * Returns the OpenAPI definition of a GraphQL response. The media type is JSON, or the newer GraphQL media
 * type if the client requests it.
 * @param stream the additional media types of a response to a subscription
 */
const graphqlAnswer = (
  description: string,
  headers: Record<string, Header> = {},
  stream: MediaTypes = {},
): Response => ({
  ...answer(description, 'GraphQLResponse', { ...traceId, ...rateLimit, ...headers }),
  content: {
    ...json('GraphQLResponse'),
    'application/graphql-response+json': { schema: ref('GraphQLResponse') },
    ...stream,
  },
})

const run: Operation = {
  operationId: 'graphql',
  tags: ['GraphQL'],
  summary: 'Run a GraphQL query or mutation, or follow a subscription',
  description:
    'If authorization fails, the status is 200 and the response contains `errors`. Malformed requests and queries that do not match ' +
    'the schema have status 400. Every response contains a traceId. Introspection requires no token. For subscriptions, send Accept: text/event-stream.',
  security: [{ apiToken: [] }, { oauth: [] }, { dpop: [] }, { projectToken: [] }, {}],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'For mutations: a unique text that you choose, such as a UUID. The mutation is executed only once within 24 hours. The same ' +
        'request with the same key returns the first response again, with the header Idempotent-Replayed.',
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: 257,
        examples: ['"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
      },
    },
  ],
  requestBody: { required: true, content: json('GraphQLRequest') },
  responses: {
    '200': graphqlAnswer(
      '`data`, `errors`, or both. For a subscription, a stream of `next` events, each of which contains such a response.',
      {
        'idempotent-replayed': {
          description: 'Present if this is a repetition of the first response for the Idempotency-Key.',
          required: false,
          schema: { const: 'true' },
        },
        'www-authenticate': { ...challenge['www-authenticate'], required: false },
      },
      { 'text/event-stream': { schema: { type: 'string' } } },
    ),
    '400': graphqlAnswer(
      'BAD_REQUEST, GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, or QUERY_TOO_COMPLEX.',
    ),
    '429': graphqlAnswer('RATE_LIMITED.', retryAfter),
    '503': graphqlAnswer('SERVICE_UNAVAILABLE.', retryAfter),
  },
}

const visit: Operation = {
  operationId: 'graphqlExplorer',
  tags: ['GraphQL'],
  summary: 'Open the GraphQL explorer in a browser',
  description: 'Browsers, which request text/html, are redirected. Send operations with POST.',
  security: [{}],
  responses: {
    '302': redirect('A redirect to the explorer.'),
    '405': graphqlAnswer('BAD_REQUEST, if the client does not request text/html.'),
  },
}

export const graphqlPaths: Record<string, PathItem> = { '/graphql/v2': { get: visit, post: run } }

const refused = (description: string, headers: Record<string, Header> = {}): Response =>
  answer(description, 'JsonRpcError', { ...traceId, ...headers })

const send: Operation = {
  operationId: 'mcp',
  tags: ['Agents'],
  summary: 'Send a message of the Model Context Protocol',
  description:
    'Stateless Streamable HTTP, in the revision of 2026-07-28 and earlier revisions. The tools are GraphQL API operations and ' +
    'have the same limits. Accepts tokens that were requested for `{base}/mcp`, for the instance, or without a resource.',
  security: [{ apiToken: [] }, { oauth: [] }, { dpop: [] }, { projectToken: [] }],
  requestBody: { required: true, content: json('JsonRpcMessage') },
  responses: {
    '200': {
      ...answer('The tool’s result or error.', 'JsonRpcMessage', { ...traceId, ...rateLimit }),
      content: {
        ...json('JsonRpcMessage'),
        'text/event-stream': {
          schema: { type: 'string', description: 'The same message as a single event.' },
        },
      },
    },
    '202': { description: 'The notification was accepted.', headers: traceId },
    '400': refused('The message is not a valid protocol message, or it is a batch.'),
    '401': refused('No token was sent, or the token is not valid for this endpoint.', challenge),
    '403': refused('The token lacks a scope that the tool requires, or the Origin is not allowed.', {
      'www-authenticate': { ...challenge['www-authenticate'], required: false },
    }),
    '406': refused('The Accept header allows neither JSON nor an event stream.'),
    '413': refused('The message is too long.'),
    '415': refused('The message is not JSON.'),
    '429': refused('RATE_LIMITED.', retryAfter),
    '500': refused('INTERNAL_SERVER_ERROR.'),
    '503': refused('SERVICE_UNAVAILABLE.', retryAfter),
  },
}

const visitOfMcp: Operation = {
  operationId: 'mcpDocs',
  tags: ['Agents'],
  summary: 'Read about MCP in a browser',
  description: 'Browsers, which request text/html, are redirected. Send messages with POST.',
  security: [{}],
  responses: {
    '302': redirect('A redirect to the documentation for agents.'),
    '401': refused('No token was sent, or the token is not valid for this endpoint.', challenge),
    '403': refused('The Origin is not allowed.'),
    '405': refused('The client does not request text/html, and the endpoint has no event stream.'),
  },
}

export const mcpPaths: Record<string, PathItem> = { '/mcp': { get: visitOfMcp, post: send } }

const parameter = (name: string, description: string, more: object = {}): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', ...more },
})

const refusedOfAuditLog = (description: string) => answer(description, 'ExportRefusal')

export const auditLogPaths: Record<string, PathItem> = {
  '/audit-log/export': {
    get: {
      operationId: 'exportAuditLog',
      tags: ['Audit log'],
      summary: 'Export a workspace’s audit log',
      description:
        'Streams the events, oldest first. Requires the ADMIN role in the workspace. Use an API token or a browser session. Apps use `auditLogs` in the GraphQL API instead. Without `workspaceId`, instance admins can export all events in a browser session. Each export is recorded in the exported audit log.',
      security: [{ apiToken: [] }],
      parameters: [
        parameter('workspaceId', 'The workspace’s ID.', { format: 'uuid' }),
        parameter('format', 'The format of the file: one JSON object per line, or CSV (RFC 4180).', {
          enum: ['ndjson', 'csv'],
          default: 'ndjson',
        }),
        parameter('since', 'The first day to include (UTC).', { format: 'date' }),
        parameter('until', 'The last day to include (UTC).', { format: 'date' }),
        parameter('action', 'An action such as `project.created`, or a kind such as `project`.'),
        parameter('user', 'The ID of the user. Instance admins can also pass an email address.'),
        parameter('search', 'For instance admins: the beginning of an action, or the ID of a resource.'),
        parameter('workspace', 'For instance admins: a workspace’s slug or ID.'),
      ],
      responses: {
        '200': {
          description: 'The events.',
          headers: {
            'content-disposition': {
              description: 'The file name, which contains the workspace and the dates.',
              required: true,
              schema: { type: 'string', pattern: '^attachment; filename="[^"]+"$' },
            },
          },
          content: {
            'application/x-ndjson': { schema: { type: 'string' } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
        '400': refusedOfAuditLog('A parameter is invalid. `field` contains its name.'),
        '401': refusedOfAuditLog('No user is signed in, or the token is invalid.'),
        '403': refusedOfAuditLog('The user’s role is too low, or the token does not allow the export.'),
        '404': refusedOfAuditLog('The workspace was not found, or you don’t have access to it.'),
        '429': { ...refusedOfAuditLog('Too many requests or exports within an hour.'), headers: retryAfter },
        '503': { ...refusedOfAuditLog('The database is unavailable.'), headers: retryAfter },
      },
    },
  },
}

export const healthPaths: Record<string, PathItem> = {
  '/healthz': {
    get: {
      operationId: 'alive',
      tags: ['Health'],
      summary: 'Check whether the process is running',
      security: [{}],
      responses: { '200': answer('The process is running.', 'Health') },
    },
  },
  '/readyz': {
    get: {
      operationId: 'ready',
      tags: ['Health'],
      summary: 'Check whether the database responds and has all migrations',
      security: [{}],
      responses: {
        '200': answer('The instance is ready.', 'Health'),
        '503': answer('The instance is not ready, with the reason.', 'Health'),
      },
    },
  },
  '/schema.graphql': {
    get: {
      operationId: 'graphqlSchema',
      tags: ['Metadata'],
      summary: 'Get the GraphQL schema',
      security: [{}],
      responses: {
        '200': {
          description: 'The schema in the schema definition language (SDL).',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
    },
  },
  '/mcp/server.json': {
    get: {
      operationId: 'mcpServer',
      tags: ['Metadata'],
      summary: 'Get the server entry for MCP registries',
      security: [{}],
      responses: {
        '200': {
          description: 'The server.json file.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: ['Metadata'],
      summary: 'Get this OpenAPI document',
      security: [{}],
      responses: {
        '200': {
          description: 'The OpenAPI 3.1 document.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
}
