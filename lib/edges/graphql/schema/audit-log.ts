import { parsePage } from '@/lib/base/db/paging'
import { followEvents, listEvents } from '@/lib/features/audit/list-events'
import { currentAction } from '@/lib/features/audit/renamed-actions'
import { readStream, type StreamState } from '@/lib/features/audit-streams/read-stream'
import { recordedUrl } from '@/lib/features/webhooks/change-webhook'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import { builder, takes } from '../builder'
import { defineConnection, followAs, pageArgs } from '../connection'
import { Node } from '../nodes'
import { ActorKind, kindOf } from './scalars'

/** An event of an audit log. */
export const AuditLog = builder.objectRef<AuditEvent>('AuditLog').implement({
  interfaces: [Node],
  description: 'Who did what to which resource, from where, when.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    action: t.string({
      description: 'The action, such as `project.created`.',
      resolve: ({ action }) => currentAction(action),
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The person who did it, or for whom it was done.',
    }),
    actorKind: t.field({ type: ActorKind, description: 'Through what.', resolve: kindOf }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'The app or token through which it was done; null for a browser session.',
    }),
    resourceType: t.exposeString('resourceType', { description: 'The kind of what it was done to.' }),
    resourceId: t.exposeID('resourceId', { description: 'The id of what it was done to.' }),
    details: t.expose('details', { type: 'JSON', description: 'More about it; never a secret.' }),
    ip: t.exposeString('ip', { nullable: true, description: 'The address it came from, where known.' }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'What the caller says it is.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

/** A page of an audit log. */
export const AuditLogConnection = defineConnection('AuditLog', AuditLog)

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'Which events to read; all where nothing is said.',
  fields: (t) => ({
    action: t.string({ description: 'An action such as `project.created`, or a kind such as `project`.' }),
    userId: t.id({ description: 'Only what this person did.' }),
    resourceType: t.string({ description: 'Only what was done to this kind of thing.' }),
    resourceId: t.id({ description: 'Only what was done to this thing.' }),
    since: t.field({ type: 'DateTime', description: 'Only from here on.' }),
    until: t.field({ type: 'DateTime', description: 'Only before this.' }),
  }),
})

builder.queryField('auditLogs', (t) =>
  t.field({
    type: AuditLogConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      filter: t.arg({ type: AuditLogFilter, description: 'Which events.' }),
      ...pageArgs,
    },
    description: `A workspace's audit log, the latest first. ${takes('workspace:read-audit')}.`,
    resolve: (_root, { workspaceId, filter, ...page }, { actor }) =>
      listEvents(actor, workspaceId, filter ?? {}, parsePage(page)),
  }),
)

builder.subscriptionField('auditLogCreated', (t) =>
  t.field({
    type: AuditLog,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The workspace.' }),
      filter: t.arg({ type: AuditLogFilter, description: 'Which events.' }),
      after: t.arg.id({
        description: 'Begin with what follows this one, to go on where a stream broke off.',
      }),
    },
    description: `A workspace's audit log as it is written. ${takes('workspace:read-audit')}.`,
    subscribe: (_root, { workspaceId, filter, after }, context) =>
      followAs(context, followEvents(workspaceId, filter ?? {}), after),
    resolve: (row) => row,
  }),
)

const State = builder.enumType('AuditStreamState', {
  description: 'Whether a stream sends.',
  values: {
    SENDING: { value: 'sending', description: 'The last message was taken, or none was sent yet.' },
    FAILING: { value: 'failing', description: 'The last message was not taken; it is tried again.' },
    PAUSED: { value: 'paused', description: 'An admin paused it; what happens waits.' },
    STOPPED: { value: 'stopped', description: 'It failed for three days; what happens waits.' },
  } satisfies Record<string, { value: StreamState['state']; description: string }>,
})

const AuditStream = builder.objectRef<StreamState>('AuditStream').implement({
  description:
    'Where a workspace sends its audit log, and how that goes. It is set up in the console alone, so that no token sends a log away.',
  fields: (t) => ({
    url: t.string({
      description:
        'Where events are sent, without the query, in which receivers may have their secrets: `?…` stands for it.',
      resolve: ({ url }) => recordedUrl(url),
    }),
    state: t.expose('state', { type: State, description: 'Whether they are.' }),
    waiting: t.exposeInt('waiting', { description: 'Events not delivered yet, counted up to 10,000.' }),
    waitingSince: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest of them happened; null for none.',
    }),
    lastSuccessAt: t.expose('lastSuccessAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a message was last taken; null for never.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when none was; null while they are.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'What the last message came to that was not taken; null where none was refused.',
    }),
    previousSecretExpiresAt: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when messages are signed with the secret before the last rotation too; null without one.',
    }),
  }),
})

builder.queryField('auditStream', (t) =>
  t.field({
    type: AuditStream,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }) },
    description: `Where a workspace sends its audit log; null where it sends it nowhere. ${takes('workspace:stream-audit')}.`,
    resolve: (_root, { workspaceId }, { actor }) => readStream(actor, { workspaceId }),
  }),
)
