import { errorCodes } from '@/lib/base/errors/codes'
import { list, ref, type Schema, text } from './types'

const roles = ['ADMIN', 'MEMBER', 'VIEWER']

/** Schemas for GraphQL requests, responses, and errors (docs/api/contract.md, section 2). */
export const graphqlSchemas: Record<string, Schema> = {
  GraphQLRequest: {
    type: 'object',
    required: ['query'],
    properties: {
      query: text('The text of the GraphQL operation.'),
      variables: { type: ['object', 'null'], description: 'The values of the variables by name.' },
      operationName: {
        type: ['string', 'null'],
        description: 'The name of the operation to run, if the query contains several.',
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
        description: 'The result of the operation. Null or absent if there is no result.',
      },
      errors: {
        type: 'array',
        minItems: 1,
        items: ref('GraphQLError'),
        description: 'Present if the operation failed, completely or in part.',
      },
      extensions: {
        type: 'object',
        required: ['traceId'],
        properties: {
          traceId: text('The ID of this request in the logs. The header x-trace-id contains the same ID.'),
          cost: {
            type: 'object',
            required: ['requested', 'budget'],
            properties: { requested: { type: 'integer' }, budget: { type: 'integer' } },
            description:
              'The maximum cost of the operation and the cost limit, in points. Present if an operation was executed.',
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
      message: text('The error message, in a form that can be shown to users.'),
      locations: list('The location of the error in the query text.', {
        type: 'object',
        required: ['line', 'column'],
        properties: { line: { type: 'integer' }, column: { type: 'integer' } },
      }),
      path: list('The path of the result field in which the error occurred.', {
        type: ['string', 'integer'],
      }),
      extensions: {
        type: 'object',
        required: ['code', 'traceId'],
        properties: {
          code: text('The error code, for programs.', { enum: Object.keys(errorCodes) }),
          traceId: text('The ID of this request in the logs.'),
          field: text('The invalid input field (BAD_USER_INPUT, CONFLICT).'),
          fields: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'All invalid input fields with their messages.',
          },
          requiredRole: text('The required role (FORBIDDEN).', { enum: [...roles] }),
          role: text('The caller’s current role (FORBIDDEN).', { enum: [...roles] }),
          requiredScope: text('The required scope (INSUFFICIENT_SCOPE).'),
          resource: {
            type: 'object',
            required: ['type', 'id'],
            properties: {
              type: text('The resource’s type.'),
              id: text('The resource’s ID, as the caller sent it.'),
            },
            description: 'The resource that was not shared or not found.',
          },
          retryAfter: {
            type: 'integer',
            description: 'The number of seconds to wait before the next attempt (RATE_LIMITED).',
          },
        },
      },
    },
  },
}

/** Schemas for the parts of Model Context Protocol messages that are relevant to HTTP clients. */
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
          message: text('The error message.'),
          data: {
            type: 'object',
            properties: {
              code: text('The error code.'),
              traceId: text('The ID of this request in the logs.'),
            },
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
      error: text('The error message.'),
      code: text('The error code, for programs.', { enum: Object.keys(errorCodes) }),
      field: text('The invalid parameter.'),
    },
  },
}
