import type { Schema } from '../types'
import { text } from './text'

/** Messages of the Model Context Protocol, as far as HTTP has to do with them. */
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
