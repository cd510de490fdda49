import { parsePage } from '@/lib/base/db/paging'
import { revokeOtherSessions, revokeSession } from '@/lib/features/identity/sessions/end-session'
import {
  listSignIns,
  pageSessions,
  type SessionSummary,
  type SignIn,
} from '@/lib/features/identity/sessions/list-sessions'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'

const methods =
  'How the person signed in, as `amr` of an id_token says it (RFC 8176), such as `pwd` and `otp`; with `mfa` it was two factors.'

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
    methods: t.exposeStringList('methods', { description: methods }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the person signed in.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When it was last used.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it ends by itself at the latest; without use it ends sooner.',
    }),
  }),
})

const SessionConnection = defineConnection('Session', Session)

const SignInType = builder.objectRef<SignIn>('SignIn').implement({
  description: 'A sign-in of the person, also where the browser is signed out by now.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the session that it began.' }),
    ip: t.exposeString('ip', { nullable: true, description: 'The address it came from, where known.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'What the browser says it is.' }),
    methods: t.exposeStringList('methods', { description: methods }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

builder.queryFields((t) => ({
  sessions: t.field({
    type: SessionConnection,
    nullable: true,
    args: pageArgs,
    description: 'The browsers the person is signed in with, the latest sign-in first. Not for apps.',
    resolve: (_root, page, { actor }) => pageSessions(actor, parsePage(page)),
  }),
  signIns: t.field({
    type: [SignInType],
    nullable: true,
    description:
      'How the person signed in within the last 30 days, the latest first, at most 100. Not for apps.',
    resolve: (_root, _args, { actor }) => listSignIns(actor),
  }),
}))

builder.mutationFields((t) => ({
  sessionDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The session.' }) },
    description: 'Signs a browser out at once. Answers true. Not for apps.',
    resolve: async (_root, { id }, { actor }) => {
      await revokeSession(actor, id)
      return true
    },
  }),
  sessionsDelete: t.int({
    nullable: true,
    description:
      'Signs every browser of the person out at once, that of the explorer too. Answers how many those were. Not for apps.',
    resolve: (_root, _args, { actor }) => revokeOtherSessions(actor),
  }),
}))
