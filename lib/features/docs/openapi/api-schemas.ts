import { errorCodes } from '@/lib/base/errors/codes'
import { list, ref, type Schema, text } from './types'

const roles = ['ADMIN', 'MEMBER', 'VIEWER']

/** GraphQLRequest, GraphQLResponse and GraphQLError of docs/api/contract.md, section 2. */
export const graphqlSchemas: Record<string, Schema> = {
  GraphQLRequest: {
    type: 'object',
    required: ['query'],
    properties: {
      query: text('The GraphQL query or mutation text.'),
      variables: { type: ['object', 'null'], description: 'Values of the variables by name.' },
      operationName: {
        type: ['string', 'null'],
        description: 'The operation to run if the query has several.',
      },
    },
  },
  GraphQLResponse: {
    type: 'object',
    required: ['extensions'],
    anyOf: [{ required: ['data'] }, { required: ['errors'] }],
    properties: {
      data: {
        type: ['object', 'null'],
        description: 'The result. Null or absent if there is none.',
      },
      errors: { type: 'array', minItems: 1, items: ref('GraphQLError'), description: 'Present on failure.' },
      extensions: {
        type: 'object',
        required: ['traceId'],
        properties: {
          traceId: text('Names this request in the logs; also in the header x-trace-id.'),
          cost: {
            type: 'object',
            required: ['requested', 'budget'],
            properties: { requested: { type: 'integer' }, budget: { type: 'integer' } },
            description:
              'What the operation costs at most, and what it may, in points; where one was executed.',
          },
        },
      },
    },
  },
  GraphQLError: {
    type: 'object',
    required: ['message', 'extensions'],
    additionalProperties: false,
    properties: {
      message: text('What happened, fit to be shown.'),
      locations: list('Where in the query text.', {
        type: 'object',
        required: ['line', 'column'],
        properties: { line: { type: 'integer' }, column: { type: 'integer' } },
      }),
      path: list('The field in the result that failed.', { type: ['string', 'integer'] }),
      extensions: {
        type: 'object',
        required: ['code', 'traceId'],
        properties: {
          code: text('What kind of error it is, for programs.', { enum: Object.keys(errorCodes) }),
          traceId: text('Names this request in the logs.'),
          field: text('The input field that is wrong (BAD_USER_INPUT, CONFLICT).'),
          fields: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Every invalid input field with its message.',
          },
          requiredRole: text('The role that would allow it (FORBIDDEN).', { enum: [...roles] }),
          role: text('The role there is, and that is too low (FORBIDDEN).', { enum: [...roles] }),
          requiredScope: text('The scope that would allow it (INSUFFICIENT_SCOPE).'),
          resource: {
            type: 'object',
            required: ['type', 'id'],
            properties: { type: text('Its type.'), id: text('Its id, as the caller named it.') },
            description: 'The resource that was not shared or not found.',
          },
          retryAfter: {
            type: 'integer',
            description: 'Seconds to wait before the next attempt (RATE_LIMITED).',
          },
        },
      },
    },
  },
}

/** Messages of the Model Context Protocol, as far as they concern HTTP. */
export const mcpSchemas: Record<string, Schema> = {
  JsonRpcMessage: {
    type: 'object',
    required: ['jsonrpc'],
    properties: { jsonrpc: { const: '2.0' }, id: { type: ['string', 'number', 'null'] } },
    additionalProperties: true,
  },
  JsonRpcError: {
    type: 'object',
    required: ['jsonrpc', 'error'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer' },
          message: text('What is wrong.'),
          data: {
            type: 'object',
            properties: { code: text('The error’s code.'), traceId: text('Names this request in the logs.') },
          },
        },
      },
    },
  },
}

export const auditLogSchemas: Record<string, Schema> = {
  ExportRefusal: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: text('What is wrong, in words.'),
      code: text('The same for programs.', { enum: Object.keys(errorCodes) }),
      field: text('The parameter that is wrong.'),
    },
  },
}
