import { parsePage } from '@/lib/base/db/paging'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/features/webhooks/change-webhook'
import { appWebhookEvents, eventsOf, webhookEvents } from '@/lib/features/webhooks/events'
import { listDeliveries, pageWebhooks, webhooksOfApps } from '@/lib/features/webhooks/list-webhooks'
import {
  followDeliveries,
  redeliver,
  requireWebhook,
  sendTestMessage,
} from '@/lib/features/webhooks/redeliver'
import type { WebhookDelivery as DeliveryRow, Webhook as WebhookRow } from '@/lib/generated/prisma/client'
import { builder, describeRole } from '../builder'
import { defineConnection, defineSecretPayload, followAs, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { Node } from '../nodes'
import { OAuthApp } from './oauth-app'

export const Webhook = builder.objectRef<WebhookRow>('Webhook').implement({
  interfaces: [Node],
  description:
    'A webhook that sends signed messages about events in a workspace. The signature follows https://www.standardwebhooks.com.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the webhook.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The ID of the workspace.' }),
    clientId: t.exposeID('clientId', {
      nullable: true,
      description:
        'The client ID of the app that the webhook belongs to. Null if the webhook belongs to the workspace.',
    }),
    url: t.exposeString('url', { description: 'The URL that messages are sent to.' }),
    events: t.stringList({
      resolve: eventsOf,
      description: 'The events that are sent, such as `project.created` or `project.*`.',
    }),
    enabled: t.boolean({
      description: 'Whether the webhook is enabled.',
      resolve: (webhook) => !webhook.disabledAt,
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the previous secret expires. Until then, messages are signed with both secrets. Null if there is no previous secret.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the webhook was created.' }),
  }),
})

const webhooksOf = defineLoader((_actor, ids) => webhooksOfApps(ids))

builder.objectField(OAuthApp, 'webhooks', (t) =>
  t.field({
    type: [Webhook],
    nullable: true,
    description:
      'The app’s own webhooks, which receive the events that concern the app, oldest first. The list is short, so it is not paginated.',
    resolve: ({ id }, _args, context) => webhooksOf(context).load(id),
  }),
)

const signed = { name: 'webhook', type: Webhook, description: 'The webhook.' }
const signingSecret = 'The signing secret: `whsec_...`. It is returned only once.'
const WebhookCreatePayload = defineSecretPayload(
  'WebhookCreatePayload',
  signed,
  signingSecret,
  'A new webhook and its signing secret.',
)
const WebhookSecretRotatePayload = defineSecretPayload(
  'WebhookSecretRotatePayload',
  signed,
  signingSecret,
  'A webhook and its new signing secret.',
)

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'The status of a delivery.',
  values: {
    PENDING: { description: 'The delivery is waiting for its first or next attempt.' },
    DELIVERED: { description: 'The receiver responded with 2xx.' },
    FAILED: { description: 'All attempts failed.' },
  } as const,
})

export const WebhookDelivery = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  interfaces: [Node],
  description: 'A message to a webhook, with the response. Deliveries are kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the delivery.' }),
    event: t.exposeString('event', { description: 'The type of event.' }),
    payload: t.expose('payload', { type: 'JSON', description: 'The payload of the message.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'The status of the delivery.' }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the last response. Null if there was none.',
    }),
    response: t.exposeString('response', {
      nullable: true,
      description:
        'The beginning of the last response, or the reason why there was none. Null if no attempt was made.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt was made. Null if no attempt was made.',
    }),
  }),
})

export const WebhookConnection = defineConnection('Webhook', Webhook)
export const WebhookDeliveryConnection = defineConnection('WebhookDelivery', WebhookDelivery)

const WebhookEventType = builder
  .objectRef<{ name: string; description: string }>('WebhookEventType')
  .implement({
    description: 'A type of event that a webhook can receive.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the event type, such as `project.created`.' }),
      description: t.exposeString('description', {
        description: 'The condition under which the event is sent.',
      }),
    }),
  })

builder.queryFields((t) => ({
  webhooks: t.field({
    type: WebhookConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }), ...pageArgs },
    description: `The webhooks of a workspace and of its apps, oldest first. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      pageWebhooks(actor, workspaceId, parsePage(page)),
  }),
  webhook: t.field({
    type: Webhook,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the webhook.' }) },
    description: `A webhook. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => requireWebhook(actor, id),
  }),
  webhookDeliveries: t.field({
    type: WebhookDeliveryConnection,
    nullable: true,
    args: {
      webhookId: t.arg.id({ required: true, description: 'The ID of the webhook.' }),
      status: t.arg({ type: DeliveryStatus, description: 'Returns only deliveries with this status.' }),
      event: t.arg.string({
        description: 'Returns only deliveries of this type of event, such as `project.created`.',
      }),
      ...pageArgs,
    },
    description: `The deliveries of a webhook, newest first. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { webhookId, status, event, ...page }, { actor }) =>
      listDeliveries(actor, webhookId, parsePage(page), { status, event }),
  }),
  webhookEventTypes: t.field({
    type: [WebhookEventType],
    args: {
      ofApps: t.arg.boolean({
        description:
          'Whether to return the event types for apps’ webhooks instead of those for workspaces’ webhooks. Default: false.',
      }),
    },
    description: 'The event types that a webhook can receive.',
    resolve: (_root, { ofApps }) =>
      Object.entries(ofApps ? appWebhookEvents : webhookEvents).map(([name, description]) => ({
        name,
        description,
      })),
  }),
}))

builder.subscriptionField('webhookDeliveryUpdated', (t) =>
  t.field({
    type: WebhookDelivery,
    nullable: true,
    args: { webhookId: t.arg.id({ required: true, description: 'The ID of the webhook.' }) },
    description: `The deliveries of a webhook. Each delivery is sent when it is created and after every attempt. ${describeRole('workspace:manage-webhooks')}.`,
    subscribe: (_root, { webhookId }, context) => followAs(context, followDeliveries(webhookId)),
    resolve: (row) => row,
  }),
)

const CreateInput = builder.inputType('WebhookCreateInput', {
  description: 'A new webhook.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    clientId: t.id({
      description:
        'The client ID of one of the workspace’s apps. If set, the webhook belongs to the app and receives the events that concern the app.',
    }),
    url: t.string({
      required: true,
      description: 'The https URL of the receiver. It must be on the public internet and use port 443.',
    }),
    events: t.stringList({
      required: true,
      description: 'The events to send, such as `project.created` or `project.*`.',
    }),
  }),
})

const UpdateInput = builder.inputType('WebhookUpdateInput', {
  description: 'Changes to a webhook. Omitted fields stay unchanged.',
  fields: (t) => ({
    url: t.string({
      description: 'The https URL of the receiver. It must be on the public internet and use port 443.',
    }),
    events: t.stringList({ description: 'The new events to send.' }),
    enabled: t.boolean({ description: 'Whether the webhook is enabled.' }),
  }),
})

const idArg = { required: true, description: 'The ID of the webhook.' } as const

builder.mutationFields((t) => ({
  webhookCreate: t.field({
    type: WebhookCreatePayload,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The webhook to create.' }) },
    description: `Creates a webhook and returns its signing secret. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: async (_root, { input }, { actor }) => {
      const { webhook, secret } = await createWebhook(actor, input)
      return { thing: webhook, secret }
    },
  }),
  webhookUpdate: t.field({
    type: Webhook,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: UpdateInput, required: true, description: 'The fields to change.' }),
    },
    description: `Changes, enables, or disables a webhook. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { id, input }, { actor }) => updateWebhook(actor, id, input),
  }),
  webhookDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes a webhook and its deliveries. Returns true. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteWebhook(actor, id)
      return true
    },
  }),
  webhookSecretRotate: t.field({
    type: WebhookSecretRotatePayload,
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Creates a new signing secret for a webhook and returns it. For one day, messages are also signed with the old secret. ${describeRole('workspace:manage-secrets')}.`,
    resolve: async (_root, { id }, { actor }) => {
      const { webhook, secret } = await rotateWebhookSecret(actor, id)
      return { thing: webhook, secret }
    },
  }),
  webhookTest: t.field({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Sends a test message of the type \`webhook.test\`. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => sendTestMessage(actor, id),
  }),
  webhookDeliveryResend: t.field({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the delivery.' }) },
    description: `Sends a delivery again. ${describeRole('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => redeliver(actor, id),
  }),
}))
