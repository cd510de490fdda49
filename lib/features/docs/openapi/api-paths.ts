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

/** JSON for every Accept header; the newer media type for clients that request it. */
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
    'Authorization failures are answers with status 200 and `errors`; malformed requests and queries that do not fit ' +
    'the schema have status 400. Every answer carries a traceId. Introspection needs no token. A subscription is sent with Accept: text/event-stream.',
  security: [{ apiToken: [] }, { oauth: [] }, { dpop: [] }, { projectToken: [] }, {}],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Of a mutation: a text of your own, such as a UUID, by which it is carried out once within 24 hours. The same ' +
        'request with the same key is answered as the first time, with the header Idempotent-Replayed.',
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
      '`data` and/or `errors`. Of a subscription a stream of events, each `next` with such an answer.',
      {
        'idempotent-replayed': {
          description: 'Set if this repeats the first response to the Idempotency-Key.',
          required: false,
          schema: { const: 'true' },
        },
        'www-authenticate': { ...challenge['www-authenticate'], required: false },
      },
      { 'text/event-stream': { schema: { type: 'string' } } },
    ),
    '400': graphqlAnswer(
      'BAD_REQUEST, GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED or QUERY_TOO_COMPLEX.',
    ),
    '429': graphqlAnswer('RATE_LIMITED.', retryAfter),
    '503': graphqlAnswer('SERVICE_UNAVAILABLE.', retryAfter),
  },
}

const visit: Operation = {
  operationId: 'graphqlExplorer',
  tags: ['GraphQL'],
  summary: 'Open the explorer in a browser',
  description: 'For browsers, which request text/html. Send operations with POST.',
  security: [{}],
  responses: {
    '302': redirect('To the explorer.'),
    '405': graphqlAnswer('BAD_REQUEST, for any caller that does not ask for a page.'),
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
    'Streamable HTTP, stateless, in the revision of 2026-07-28 and those before it. The tools are operations of the GraphQL API, ' +
    'under its limits. A token asked for `{base}/mcp`, for the service, or without a resource counts here.',
  security: [{ apiToken: [] }, { oauth: [] }, { dpop: [] }, { projectToken: [] }],
  requestBody: { required: true, content: json('JsonRpcMessage') },
  responses: {
    '200': {
      ...answer('The result, or what the tool refused.', 'JsonRpcMessage', { ...traceId, ...rateLimit }),
      content: {
        ...json('JsonRpcMessage'),
        'text/event-stream': { schema: { type: 'string', description: 'The same as one event.' } },
      },
    },
    '202': { description: 'The notification was accepted.', headers: traceId },
    '400': refused('A message that is none of the protocol, or a batch of several.'),
    '401': refused('No token, or one that does not count here.', challenge),
    '403': refused('The tool takes a scope that the token lacks, or the Origin is foreign.', {
      'www-authenticate': { ...challenge['www-authenticate'], required: false },
    }),
    '406': refused('The Accept header takes neither JSON nor events.'),
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
  summary: 'Read about it in a browser',
  description: 'For browsers, which request text/html. Send messages with POST.',
  security: [{}],
  responses: {
    '302': redirect('To the page about agents.'),
    '401': refused('No token, or one that does not count here.', challenge),
    '403': refused('The Origin is foreign.'),
    '405': refused('There is nothing to read.'),
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
      summary: 'Export the audit log of a workspace',
      description:
        'The oldest event first, sent while it is read. Takes an admin of the workspace, by an API token or in a browser session; apps use `auditLogs` of the GraphQL API. Without `workspaceId` it is everything recorded, for the instance admin in a browser session. Each export is recorded in the log it exports.',
      security: [{ apiToken: [] }],
      parameters: [
        parameter('workspaceId', 'The workspace.', { format: 'uuid' }),
        parameter('format', 'One JSON object a line, or CSV (RFC 4180).', {
          enum: ['ndjson', 'csv'],
          default: 'ndjson',
        }),
        parameter('since', 'The first day (UTC).', { format: 'date' }),
        parameter('until', 'The last day (UTC).', { format: 'date' }),
        parameter('action', 'An action such as `project.created`, or a kind such as `project`.'),
        parameter('user', 'The ID of the user. Instance admins can also pass an email address.'),
        parameter('search', 'For the instance admin: the beginning of an action, or the id of a resource.'),
        parameter('workspace', 'For the instance admin: the address or id of a workspace.'),
      ],
      responses: {
        '200': {
          description: 'The events.',
          headers: {
            'content-disposition': {
              description: 'The file name, with the workspace and the days.',
              required: true,
              schema: { type: 'string', pattern: '^attachment; filename="[^"]+"$' },
            },
          },
          content: {
            'application/x-ndjson': { schema: { type: 'string' } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
        '400': refusedOfAuditLog('A parameter is wrong; `field` names it.'),
        '401': refusedOfAuditLog('No user is signed in, or the token is invalid.'),
        '403': refusedOfAuditLog('The role or the token does not reach this.'),
        '404': refusedOfAuditLog('The workspace was not found, or you don’t have access to it.'),
        '429': { ...refusedOfAuditLog('Too many requests or exports within an hour.'), headers: retryAfter },
        '503': { ...refusedOfAuditLog('The database is away.'), headers: retryAfter },
      },
    },
  },
}

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
      summary: 'Whether the database responds and has all migrations',
      security: [{}],
      responses: { '200': answer('It is ready.', 'Health'), '503': answer('Not yet; the reason.', 'Health') },
    },
  },
  '/schema.graphql': {
    get: {
      operationId: 'graphqlSchema',
      tags: ['Metadata'],
      summary: 'The GraphQL schema',
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
      summary: 'The entry for MCP server registries',
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
