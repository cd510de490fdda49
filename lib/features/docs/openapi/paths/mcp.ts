import { answer, challenge, json, rateLimit, redirect, retryAfter, traceId } from '../answers'
import type { Header, Operation, PathItem, Response } from '../types'

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
    '202': { description: 'A notification was taken.', headers: traceId },
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

const visit: Operation = {
  operationId: 'mcpDocs',
  tags: ['Agents'],
  summary: 'Read about it in a browser',
  description: 'Only for a browser, which asks for text/html. Messages are sent with POST alone.',
  security: [{}],
  responses: {
    '302': redirect('To the page about agents.'),
    '401': refused('No token, or one that does not count here.', challenge),
    '403': refused('The Origin is foreign.'),
    '405': refused('There is nothing to read.'),
  },
}

export const mcpPaths: Record<string, PathItem> = { '/mcp': { get: visit, post: send } }
