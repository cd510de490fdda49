import { errorCodes } from '@/lib/base/errors/codes'
import type { Schema } from '../types'
import { text } from './text'

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
