import { parsePage } from '@/lib/base/db/paging'
import { revokeOtherSessions, revokeSession } from '@/lib/features/identity/sessions/end-session'
import {
  listSignIns,
  pageSessions,
  type SessionSummary,
  type SignIn,
} from '@/lib/features/identity/sessions/list-sessions'
import { builder, notForApps } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'

const methods =
  'The authentication methods of the sign-in, as in `amr` of an ID token (RFC 8176), such as `pwd` and `otp`. Contains `mfa` if two factors were used.'

const Session = builder.objectRef<SessionSummary>('Session').implement({
  interfaces: [Node],
  description: 'A browser session of the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the session.' }),
    ip: t.exposeString('ip', {
      nullable: true,
      description: 'The IP address from which the session was started. Null if it is unknown.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The `User-Agent` header that the browser sent. Null if it is unknown.',
    }),
    methods: t.exposeStringList('methods', { description: methods }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user signed in.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When the session was last used.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The latest time at which the session expires. An unused session expires sooner.',
    }),
  }),
})

const SessionConnection = defineConnection('Session', Session)

const SignInType = builder.objectRef<SignIn>('SignIn').implement({
  description: 'A sign-in by the user. It remains listed after the browser is signed out.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the session that the sign-in started.' }),
    ip: t.exposeString('ip', {
      nullable: true,
      description: 'The IP address of the sign-in. Null if it is unknown.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The `User-Agent` header that the browser sent. Null if it is unknown.',
    }),
    methods: t.exposeStringList('methods', { description: methods }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user signed in.' }),
  }),
})

builder.queryFields((t) => ({
  sessions: t.field({
    type: SessionConnection,
    nullable: true,
    args: pageArgs,
    description: `The user’s browser sessions, newest sign-in first. ${notForApps}`,
    resolve: (_root, page, { actor }) => pageSessions(actor, parsePage(page)),
  }),
  signIns: t.field({
    type: [SignInType],
    nullable: true,
    description: `The user’s sign-ins in the last 30 days, newest first. Maximum: 100. ${notForApps}`,
    resolve: (_root, _args, { actor }) => listSignIns(actor),
  }),
}))

builder.mutationFields((t) => ({
  sessionDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the session.' }) },
    description: `Ends a browser session immediately. Returns true. ${notForApps}`,
    resolve: async (_root, { id }, { actor }) => {
      await revokeSession(actor, id)
      return true
    },
  }),
  sessionsDelete: t.int({
    nullable: true,
    description: `Ends all of the user’s browser sessions immediately, including sessions in which the API explorer is open. Returns the number of ended sessions. ${notForApps}`,
    resolve: (_root, _args, { actor }) => revokeOtherSessions(actor),
  }),
}))
