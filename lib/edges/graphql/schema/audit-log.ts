import { parsePage } from '@/lib/base/db/keyset'
import { followEvents, listEvents } from '@/lib/features/audit/list-events'
import type { AuditEvent } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { followAs } from '../live/follow-as'
import { Node } from '../node'
import { takes } from '../takes'
import { ActorKind, kindOf } from './actor-kind'

/** An event of an audit log. */
export const AuditLog = builder.objectRef<AuditEvent>('AuditLog').implement({
  interfaces: [Node],
  description: 'Who did what to which resource, from where, when.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    action: t.exposeString('action', { description: 'What was done, such as `project.created`.' }),
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
