import { maxPageSize, parsePage } from '@/lib/base/db/paging'
import { kindOf } from '@/lib/features/notifications/notify'
import {
  countUnread,
  followNotifications,
  listNotifications,
  markAllRead,
  markRead,
  markSeveralRead,
} from '@/lib/features/notifications/read-notifications'
import { listRules, type Rule, setRule } from '@/lib/features/notifications/rules'
import type { Notification as NotificationRow } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { defineConnection, followAs, pageArgs } from '../connection'
import { Node } from '../nodes'

const NotificationType = builder.enumType('NotificationType', {
  description: 'What a notification is about.',
  values: {
    APP_AUTHORIZED: { description: 'An app was allowed to access the account, or a workspace.' },
    APP_REQUESTED: { description: 'Somebody asks for an app to be let into a workspace.' },
    APP_DECIDED: { description: 'An admin answered a request to let an app in.' },
    TOKEN_REUSED: { description: "An app's refresh token was used again after it had been replaced." },
    MEMBER_ADDED: { description: 'Someone has a new role in a workspace or project.' },
    TOKEN_EXPIRING: { description: 'An API token, or the client secret of an app, is about to expire.' },
  } as const,
})

export const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  interfaces: [Node],
  description: 'Something the person was told.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    type: t.field({ type: NotificationType, description: 'What it is about.', resolve: kindOf }),
    title: t.exposeString('title', { description: 'It in one line.' }),
    body: t.exposeString('body', { description: 'It in full.' }),
    workspaceId: t.exposeID('workspaceId', {
      nullable: true,
      description: 'The workspace it is about; null when it concerns the person alone.',
    }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was read; null: unread.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})

const NotificationRule = builder.objectRef<Rule>('NotificationRule').implement({
  description: 'How the person is told about one kind of event of a workspace they administer.',
  fields: (t) => ({
    type: t.expose('type', { type: NotificationType, description: 'The kind of event.' }),
    inApp: t.exposeBoolean('inApp', { description: 'Whether it appears among the notifications.' }),
    email: t.exposeBoolean('email', { description: 'Whether a mail is sent.' }),
  }),
})

const NotificationConnection = defineConnection('Notification', Notification)

builder.queryFields((t) => ({
  notifications: t.field({
    type: NotificationConnection,
    nullable: true,
    args: {
      unreadOnly: t.arg.boolean({ description: 'Leave out what was read.', defaultValue: false }),
      types: t.arg({ type: [NotificationType], description: 'Only those about one of these.' }),
      workspaceId: t.arg.id({ description: 'Only those about this workspace.' }),
      ...pageArgs,
    },
    description: "The person's notifications, the latest first. Apps need the scope `notifications`.",
    resolve: (_root, { unreadOnly, types, workspaceId, ...page }, { actor }) =>
      listNotifications(actor, { unreadOnly: unreadOnly ?? false, types, workspaceId }, parsePage(page)),
  }),
  notificationsUnread: t.int({
    nullable: true,
    description: 'How many notifications are unread. Apps need the scope `notifications`.',
    resolve: (_root, _args, { actor }) => countUnread(actor),
  }),
  notificationRules: t.field({
    type: [NotificationRule],
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }) },
    description:
      "The person's rules for a workspace, which count while they administer it. Apps need the scope `notifications`, and the workspace selected.",
    resolve: (_root, { workspaceId }, { actor }) => listRules(actor, workspaceId),
  }),
}))

builder.subscriptionField('notificationCreated', (t) =>
  t.field({
    type: Notification,
    nullable: true,
    args: {
      types: t.arg({ type: [NotificationType], description: 'Only those about one of these.' }),
      after: t.arg.id({
        description: 'Begin with what follows this one, to go on where a stream broke off.',
      }),
    },
    description: "The person's notifications as they are told. Apps need the scope `notifications`.",
    subscribe: (_root, { types, after }, context) =>
      followAs(context, followNotifications(context.actor, types), after),
    resolve: (row) => row,
  }),
)

const NotificationRuleUpdateInput = builder.inputType('NotificationRuleUpdateInput', {
  description: 'How to be told about one kind of event of a workspace.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    type: t.field({ type: NotificationType, required: true, description: 'APP_AUTHORIZED or MEMBER_ADDED.' }),
    inApp: t.boolean({ required: true, description: 'Show it among the notifications.' }),
    email: t.boolean({ required: true, description: 'Send a mail.' }),
  }),
})

builder.mutationFields((t) => ({
  notificationMarkRead: t.field({
    type: Notification,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The notification.' }) },
    description: 'Marks a notification as read. Apps need the scope `notifications`.',
    resolve: (_root, { id }, { actor }) => markRead(actor, id),
  }),
  notificationsMarkRead: t.int({
    nullable: true,
    args: {
      ids: t.arg.idList({ required: true, description: `The notifications, at most ${maxPageSize}.` }),
    },
    description:
      'Marks several notifications as read and answers how many were not; ids of no notification are left out. Apps need the scope `notifications`.',
    resolve: (_root, { ids }, { actor }) => markSeveralRead(actor, ids),
  }),
  notificationsMarkAllRead: t.int({
    nullable: true,
    description:
      'Marks all notifications as read and answers how many were not. Apps need the scope `notifications`.',
    resolve: (_root, _args, { actor }) => markAllRead(actor),
  }),
  notificationRuleUpdate: t.field({
    type: NotificationRule,
    nullable: true,
    args: { input: t.arg({ type: NotificationRuleUpdateInput, required: true, description: 'The rule.' }) },
    description: 'Changes a rule. Apps need the scope `notifications`, and the workspace selected.',
    resolve: (_root, { input }, { actor }) => setRule(actor, input),
  }),
}))
