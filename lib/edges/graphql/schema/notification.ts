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
import { builder, describeScope } from '../builder'
import { defineConnection, followAs, pageArgs } from '../connection'
import { Node } from '../nodes'

const NotificationType = builder.enumType('NotificationType', {
  description: 'The type of a notification.',
  values: {
    APP_AUTHORIZED: { description: 'An app was authorized to access the account or a workspace.' },
    APP_REQUESTED: { description: 'A user requested approval for an app in a workspace.' },
    APP_DECIDED: { description: 'An admin approved or declined a request to approve an app.' },
    TOKEN_REUSED: { description: 'An app’s refresh token was used again after it had been replaced.' },
    MEMBER_ADDED: { description: 'A user received a new role in a workspace or project.' },
    TOKEN_EXPIRING: { description: 'An API token or an app’s client secret expires soon.' },
  } as const,
})

export const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  interfaces: [Node],
  description: 'A notification for the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the notification.' }),
    type: t.field({ type: NotificationType, description: 'The type of the notification.', resolve: kindOf }),
    title: t.exposeString('title', { description: 'The title, on one line.' }),
    body: t.exposeString('body', { description: 'The full text.' }),
    workspaceId: t.exposeID('workspaceId', {
      nullable: true,
      description: 'The ID of the workspace. Null if the notification concerns only the user.',
    }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the notification was read. Null if it is unread.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the notification was created.' }),
  }),
})

const NotificationRule = builder.objectRef<Rule>('NotificationRule').implement({
  description:
    'A rule for how the user is notified about a type of event in a workspace that they administer.',
  fields: (t) => ({
    type: t.expose('type', { type: NotificationType, description: 'The type of event.' }),
    inApp: t.exposeBoolean('inApp', {
      description: 'Whether the event appears in the list of notifications.',
    }),
    email: t.exposeBoolean('email', { description: 'Whether an email is sent.' }),
  }),
})

const NotificationConnection = defineConnection('Notification', Notification)

builder.queryFields((t) => ({
  notifications: t.field({
    type: NotificationConnection,
    nullable: true,
    args: {
      unreadOnly: t.arg.boolean({
        description: 'Whether to return only unread notifications.',
        defaultValue: false,
      }),
      types: t.arg({ type: [NotificationType], description: 'Returns only notifications of these types.' }),
      workspaceId: t.arg.id({ description: 'Returns only notifications about the workspace with this ID.' }),
      ...pageArgs,
    },
    description: `The user’s notifications, newest first. ${describeScope('notifications')}`,
    resolve: (_root, { unreadOnly, types, workspaceId, ...page }, { actor }) =>
      listNotifications(actor, { unreadOnly: unreadOnly ?? false, types, workspaceId }, parsePage(page)),
  }),
  notificationsUnread: t.int({
    nullable: true,
    description: `The number of unread notifications. ${describeScope('notifications')}`,
    resolve: (_root, _args, { actor }) => countUnread(actor),
  }),
  notificationRules: t.field({
    type: [NotificationRule],
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }) },
    description:
      'The user’s notification rules for a workspace. They apply only while the user is an admin of the workspace. Apps need the `notifications` scope and access to the workspace.',
    resolve: (_root, { workspaceId }, { actor }) => listRules(actor, workspaceId),
  }),
}))

builder.subscriptionField('notificationCreated', (t) =>
  t.field({
    type: Notification,
    nullable: true,
    args: {
      types: t.arg({ type: [NotificationType], description: 'Sends only notifications of these types.' }),
      after: t.arg.id({
        description:
          'The ID of the last notification that you received. The stream starts after it, so that you can resume an interrupted stream.',
      }),
    },
    description: `The user’s notifications as they are created. ${describeScope('notifications')}`,
    subscribe: (_root, { types, after }, context) =>
      followAs(context, followNotifications(context.actor, types), after),
    resolve: (row) => row,
  }),
)

const NotificationRuleUpdateInput = builder.inputType('NotificationRuleUpdateInput', {
  description: 'A change to a notification rule.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    type: t.field({
      type: NotificationType,
      required: true,
      description: 'The type of event: APP_AUTHORIZED or MEMBER_ADDED.',
    }),
    inApp: t.boolean({
      required: true,
      description: 'Whether the event appears in the list of notifications.',
    }),
    email: t.boolean({ required: true, description: 'Whether an email is sent.' }),
  }),
})

builder.mutationFields((t) => ({
  notificationMarkRead: t.field({
    type: Notification,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the notification.' }) },
    description: `Marks a notification as read. ${describeScope('notifications')}`,
    resolve: (_root, { id }, { actor }) => markRead(actor, id),
  }),
  notificationsMarkRead: t.int({
    nullable: true,
    args: {
      ids: t.arg.idList({
        required: true,
        description: `The IDs of the notifications. Maximum: ${maxPageSize}.`,
      }),
    },
    description: `Marks several notifications as read and returns how many were unread. Unknown IDs are ignored. ${describeScope('notifications')}`,
    resolve: (_root, { ids }, { actor }) => markSeveralRead(actor, ids),
  }),
  notificationsMarkAllRead: t.int({
    nullable: true,
    description: `Marks all notifications as read and returns how many were unread. ${describeScope('notifications')}`,
    resolve: (_root, _args, { actor }) => markAllRead(actor),
  }),
  notificationRuleUpdate: t.field({
    type: NotificationRule,
    nullable: true,
    args: {
      input: t.arg({ type: NotificationRuleUpdateInput, required: true, description: 'The new rule.' }),
    },
    description:
      'Changes a notification rule. Apps need the `notifications` scope and access to the workspace.',
    resolve: (_root, { input }, { actor }) => setRule(actor, input),
  }),
}))
