import { GraphQLError } from 'graphql'
import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
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
    throw new GraphQLError('JSON cannot be used as input.')
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

type Kind = (Actor | SystemActor)['kind']

/** Through what something was done. */
export const ActorKind = builder.enumType('ActorKind', {
  description: 'Through what something was done.',
  values: {
    SESSION: { value: 'session', description: 'A browser in which the person was signed in.' },
    ACCOUNT_TOKEN: { value: 'account-token', description: 'An account token.' },
    WORKSPACE_TOKEN: { value: 'workspace-token', description: 'A workspace token.' },
    PROJECT_TOKEN: { value: 'project-token', description: 'A project token.' },
    OAUTH: { value: 'oauth', description: 'An OAuth app.' },
    INSTALLATION: {
      value: 'installation',
      description: 'An app that is installed in the workspace, with nobody behind it.',
    },
    SYSTEM: { value: 'system', description: 'Nobody asked for it: the service did it by itself.' },
  } satisfies Record<string, { value: Kind; description: string }>,
})

/** What is stored is a text; the columns hold no other. */
export const kindOf = ({ actorKind }: { actorKind: string }): Kind => actorKind as Kind
