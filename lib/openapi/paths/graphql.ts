import { answer, challenge, json, page, rateLimit, retryAfter, traceId } from '../answers'
import type { Operation, PathItem } from '../types'

const headers = { ...traceId, ...rateLimit }

const run: Operation = {
  operationId: 'graphql',
  tags: ['GraphQL'],
  summary: 'Run a GraphQL query or mutation',
  description:
    'Authorization failures are answers with status 200 and `errors`; malformed requests and queries that do not fit ' +
    'the schema have status 400. Every answer carries a traceId. Introspection needs no token.',
  security: [{ apiToken: [] }, { oauth: [] }, { dpop: [] }, { projectToken: [] }, {}],
  requestBody: { required: true, content: json('GraphQLRequest') },
  responses: {
    '200': answer('`data` and/or `errors`.', 'GraphQLResponse', {
      ...headers,
      'www-authenticate': { ...challenge['www-authenticate'], required: false },
    }),
    '400': answer(
      'BAD_REQUEST, GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED or QUERY_TOO_COMPLEX.',
      'GraphQLResponse',
      headers,
    ),
    '429': answer('RATE_LIMITED.', 'GraphQLResponse', { ...headers, ...retryAfter }),
  },
}

export const graphqlPaths: Record<string, PathItem> = {
  '/graphql/v2': {
    post: run,
    get: {
      operationId: 'graphiql',
      tags: ['GraphQL'],
      summary: 'Explore the schema in a browser',
      security: [{}],
      responses: {
        '200': page('GraphiQL.'),
        '400': answer('BAD_REQUEST: programs send POST.', 'GraphQLResponse', traceId),
      },
    },
  },
}
