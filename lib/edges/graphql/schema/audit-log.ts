import { parsePage } from '@/lib/base/db/paging'
import { followEvents, listEvents } from '@/lib/features/audit/list-events'
import { currentAction } from '@/lib/features/audit/renamed-actions'
import { readStream, type StreamState } from '@/lib/features/audit-streams/read-stream'
import { recordedUrl } from '@/lib/features/webhooks/change-webhook'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import { builder, describeRole } from '../builder'
import { defineConnection, followAs, pageArgs } from '../connection'
import { Node } from '../nodes'
import { ActorKind, kindOf } from './scalars'

/** An event of an audit log. */
export const AuditLog = builder.objectRef<AuditEvent>('AuditLog').implement({
  interfaces: [Node],
  description: 'An audit event: who did what to which resource, from where, and when.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the event.' }),
    action: t.string({
      description: 'The action, such as `project.created`.',
      resolve: ({ action }) => currentAction(action),
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description:
        'The ID of the user who performed the action, or on whose behalf it was performed. Null if no user was involved.',
    }),
    actorKind: t.field({
      type: ActorKind,
      description: 'The kind of client or token that was used.',
      resolve: kindOf,
    }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description:
        'The ID of the app or token that was used. Null if none was used, such as for a browser session.',
    }),
    resourceType: t.exposeString('resourceType', { description: 'The type of the resource.' }),
    resourceId: t.exposeID('resourceId', { description: 'The ID of the resource.' }),
    details: t.expose('details', {
      type: 'JSON',
      description: 'Additional details. They never contain a secret.',
    }),
    ip: t.exposeString('ip', {
      nullable: true,
      description: 'The IP address of the caller. Null if it is unknown.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The `User-Agent` header that the caller sent. Null if it is unknown.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
  }),
})

export const AuditLogConnection = defineConnection('AuditLog', AuditLog)

const AuditLogFilter = builder.inputType('AuditLogFilter', {
  description: 'A filter for audit events. If no field is set, it matches all events.',
  fields: (t) => ({
    action: t.string({
      description:
        'Returns only events with this action, such as `project.created`, or in this group, such as `project`.',
    }),
    userId: t.id({ description: 'Returns only events performed by or on behalf of the user with this ID.' }),
    resourceType: t.string({ description: 'Returns only events about this type of resource.' }),
    resourceId: t.id({ description: 'Returns only events about the resource with this ID.' }),
    since: t.field({ type: 'DateTime', description: 'Returns only events at or after this time.' }),
    until: t.field({ type: 'DateTime', description: 'Returns only events before this time.' }),
  }),
})

builder.queryField('auditLogs', (t) =>
  t.field({
    type: AuditLogConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      filter: t.arg({ type: AuditLogFilter, description: 'The events to return. Default: all.' }),
      ...pageArgs,
    },
    description: `The audit log of a workspace, newest first. ${describeRole('workspace:read-audit')}.`,
    resolve: (_root, { workspaceId, filter, ...page }, { actor }) =>
      listEvents(actor, workspaceId, filter ?? {}, parsePage(page)),
  }),
)

builder.subscriptionField('auditLogCreated', (t) =>
  t.field({
    type: AuditLog,
    nullable: true,
    args: {
      workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }),
      filter: t.arg({ type: AuditLogFilter, description: 'The events to send. Default: all.' }),
      after: t.arg.id({
        description:
          'The ID of the last event that you received. The stream starts after it, so that you can resume an interrupted stream.',
      }),
    },
    description: `The audit events of a workspace as they are written. ${describeRole('workspace:read-audit')}.`,
    subscribe: (_root, { workspaceId, filter, after }, context) =>
      followAs(context, followEvents(workspaceId, filter ?? {}), after),
    resolve: (row) => row,
  }),
)

const State = builder.enumType('AuditStreamState', {
  description: 'The state of an audit log stream.',
  values: {
    SENDING: {
      value: 'sending',
      description: 'The receiver accepted the last message, or no message has been sent yet.',
    },
    FAILING: {
      value: 'failing',
      description: 'The receiver did not accept the last message. The server retries it.',
    },
    PAUSED: {
      value: 'paused',
      description: 'An admin paused the stream. Events wait until the stream is resumed.',
    },
    STOPPED: {
      value: 'stopped',
      description:
        'The stream failed for three days and was stopped. Events wait until the stream is resumed.',
    },
  } satisfies Record<string, { value: StreamState['state']; description: string }>,
})

const AuditStream = builder.objectRef<StreamState>('AuditStream').implement({
  description:
    'A stream that sends a workspace’s audit log to a receiver. It can be set up only in the console, so that no token can redirect the log.',
  fields: (t) => ({
    url: t.string({
      description:
        'The URL that events are sent to. The query string might contain a secret, so `?…` replaces it.',
      resolve: ({ url }) => recordedUrl(url),
    }),
    state: t.expose('state', { type: State, description: 'The state of the stream.' }),
    waiting: t.exposeInt('waiting', {
      description: 'The number of undelivered events, or 10,000 if there are more.',
    }),
    waitingSince: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest undelivered event happened. Null if there is none.',
    }),
    lastSuccessAt: t.expose('lastSuccessAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the receiver last accepted a message. Null if it never accepted one.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'When the current series of failed messages began. Null if the stream is not failing.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description:
        'The error from the most recent failed message. Null if no message has failed since the last accepted one.',
    }),
    previousSecretExpiresAt: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the previous secret expires. Until then, messages are signed with both secrets. Null if there is no previous secret.',
    }),
  }),
})

builder.queryField('auditStream', (t) =>
  t.field({
    type: AuditStream,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }) },
    description: `The audit log stream of a workspace. Null if none is configured. ${describeRole('workspace:stream-audit')}.`,
    resolve: (_root, { workspaceId }, { actor }) => readStream(actor, { workspaceId }),
  }),
)
