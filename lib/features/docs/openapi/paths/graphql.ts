import { answer, challenge, json, rateLimit, redirect, retryAfter, traceId } from '../answers'
import { ref } from '../schemas/text'
import type { Header, MediaTypes, Operation, PathItem, Response } from '../types'

/** JSON under every Accept header; the newer media type for callers that ask for it. */
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
          description: 'That this is the first answer to the Idempotency-Key again.',
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
  description: 'Only for a browser, which asks for text/html. Operations are sent with POST alone.',
  security: [{}],
  responses: {
    '302': redirect('To the explorer.'),
    '405': graphqlAnswer('BAD_REQUEST, for any caller that does not ask for a page.'),
  },
}

export const graphqlPaths: Record<string, PathItem> = { '/graphql/v2': { get: visit, post: run } }
