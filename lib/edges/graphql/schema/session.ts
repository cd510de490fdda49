import { parsePage } from '@/lib/base/db/keyset'
import { revokeSession } from '@/lib/features/identity/sessions/end-session'
import { pageSessions, type SessionSummary } from '@/lib/features/identity/sessions/list-sessions'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../node'

const Session = builder.objectRef<SessionSummary>('Session').implement({
  interfaces: [Node],
  description: 'A browser the person is signed in with.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    ip: t.exposeString('ip', {
      nullable: true,
      description: 'The address it was started from, where known.',
    }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'What the browser says it is.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the person signed in.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When it was last used.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it ends by itself at the latest; without use it ends sooner.',
    }),
  }),
})

const SessionConnection = defineConnection('Session', Session)

builder.queryField('sessions', (t) =>
  t.field({
    type: SessionConnection,
    nullable: true,
    args: pageArgs,
    description: 'The browsers the person is signed in with, the latest sign-in first. Not for apps.',
    resolve: (_root, page, { actor }) => pageSessions(actor, parsePage(page)),
  }),
)

builder.mutationField('sessionDelete', (t) =>
  t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The session.' }) },
    description: 'Signs a browser out at once. Answers true. Not for apps.',
    resolve: async (_root, { id }, { actor }) => {
      await revokeSession(actor, id)
      return true
    },
  }),
)
