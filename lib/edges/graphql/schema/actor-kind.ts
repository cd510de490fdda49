import type { SystemActor } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { builder } from '../builder'

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
