import { GraphQLError, GraphQLID, GraphQLScalarType } from 'graphql'
import { storedId } from '@/lib/base/db/prisma'
import { dateOf } from '@/lib/base/db/statements'
import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { builder } from '../builder'

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

builder.scalarType('DateTime', {
  description: 'A date and time in RFC 3339 format, such as `2026-11-21T09:30:00.000Z`. Responses use UTC.',
  serialize: (value) => dateOf(value).toISOString() as never,
  parseValue: (value) => {
    const date = typeof value === 'string' && rfc3339.test(value) ? new Date(value) : undefined
    if (!date || Number.isNaN(date.getTime())) {
      throw new GraphQLError('DateTime must be in RFC 3339 format, such as 2026-11-21T09:30:00Z.')
    }
    return date
  },
})

builder.addScalarType(
  'ID',
  new GraphQLScalarType({
    ...GraphQLID.toConfig(),
    parseValue: (value) => storedId(GraphQLID.parseValue(value)),
    parseLiteral: (node, variables) => storedId(GraphQLID.parseLiteral(node, variables)),
  }),
)

builder.scalarType('JSON', {
  description: 'Any JSON value. Used only in responses.',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON can’t be used as input.')
  },
})

export const RoleEnum = builder.enumType('Role', {
  description: 'A role in a workspace or project. ADMIN includes MEMBER, and MEMBER includes VIEWER.',
  values: {
    ADMIN: { description: 'Full access, including members, settings, and deletion.' },
    MEMBER: { description: 'Read and write access.' },
    VIEWER: { description: 'Read-only access.' },
  } as const,
})

type Kind = (Actor | SystemActor)['kind']

export const ActorKind = builder.enumType('ActorKind', {
  description: 'The kind of client or token that performed an action.',
  values: {
    SESSION: { value: 'session', description: 'A browser session of the user.' },
    ACCOUNT_TOKEN: { value: 'account-token', description: 'An account token.' },
    WORKSPACE_TOKEN: { value: 'workspace-token', description: 'A workspace token.' },
    PROJECT_TOKEN: { value: 'project-token', description: 'A project token.' },
    OAUTH: { value: 'oauth', description: 'An OAuth app.' },
    INSTALLATION: {
      value: 'installation',
      description: 'An app installation, which acts without a user.',
    },
    SYSTEM: { value: 'system', description: 'The instance itself, without a client or token.' },
  } satisfies Record<string, { value: Kind; description: string }>,
})

/** Returns the kind of the actor in a row. The column is a string, but it contains only values of `Kind`. */
export const kindOf = ({ actorKind }: { actorKind: string }): Kind => actorKind as Kind
