import { GraphQLError } from 'graphql'
import { builder } from '../builder'

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

builder.scalarType('DateTime', {
  description:
    'A moment in time as RFC 3339 writes it, such as `2026-11-21T09:30:00.000Z`. Answers are in UTC.',
  serialize: (value) => value.toISOString() as never,
  parseValue: (value) => {
    const date = typeof value === 'string' && rfc3339.test(value) ? new Date(value) : undefined
    if (!date || Number.isNaN(date.getTime())) {
      throw new GraphQLError('A DateTime looks like 2026-11-21T09:30:00Z.')
    }
    return date
  },
})

builder.scalarType('JSON', {
  description: 'Any JSON value. Only in answers.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is for answers alone.')
  },
})

/** Roles, as everywhere. */
export const RoleEnum = builder.enumType('Role', {
  description:
    'What someone may do in a workspace or project. ADMIN includes MEMBER, MEMBER includes VIEWER.',
  values: {
    ADMIN: { description: 'Everything, including members, settings and deletion.' },
    MEMBER: { description: 'Read and write.' },
    VIEWER: { description: 'Read.' },
  } as const,
})
