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
import { builder, takes } from '../builder'
import { defineConnection, defineSecretPayload, followAs, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { Node } from '../nodes'
import { OAuthApp } from './oauth-app'

/** A webhook. */
export const Webhook = builder.objectRef<WebhookRow>('Webhook').implement({
  interfaces: [Node],
  description:
    'An address that is told about events of a workspace. Messages are signed as https://www.standardwebhooks.com has it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace.' }),
    clientId: t.exposeID('clientId', {
      nullable: true,
      description: 'The app whose own endpoint it is; null for one of the workspace.',
    }),
    url: t.exposeString('url', { description: 'Where messages are sent.' }),
    events: t.stringList({
      resolve: eventsOf,
      description: 'Which events, such as `project.created` or `project.*`.',
    }),
    enabled: t.boolean({
      description: 'Whether messages are sent.',
      resolve: (webhook) => !webhook.disabledAt,
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when messages are signed with the secret before the last rotation too; null without one.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

const webhooksOf = defineLoader((_actor, ids) => webhooksOfApps(ids))

builder.objectField(OAuthApp, 'webhooks', (t) =>
  t.field({
    type: [Webhook],
    nullable: true,
    description: 'Its own endpoints, which are told what concerns it, oldest first. There are never many.',
    resolve: ({ id }, _args, context) => webhooksOf(context).load(id),
  }),
)

const signed = { name: 'webhook', type: Webhook, description: 'The webhook.' }
const signingSecret = 'What its messages are signed with, this once: `whsec_...`.'
const WebhookCreatePayload = defineSecretPayload('WebhookCreatePayload', signed, signingSecret)
const WebhookSecretRotatePayload = defineSecretPayload('WebhookSecretRotatePayload', signed, signingSecret)

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'What became of a delivery.',
  values: {
    PENDING: { description: 'It is to be tried, or tried again.' },
    DELIVERED: { description: 'The address answered 2xx.' },
    FAILED: { description: 'It was given up.' },
  } as const,
})

export const WebhookDelivery = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  interfaces: [Node],
  description: 'A message on its way to a webhook, with what came back. Kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    event: t.exposeString('event', { description: 'What happened.' }),
    payload: t.expose('payload', { type: 'JSON', description: 'What was sent.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'What became of it.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the last answer; null without one.',
    }),
    response: t.exposeString('response', {
      nullable: true,
      description: 'The beginning of the last answer, or why there was none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last tried; null for not yet.',
    }),
  }),
})

/** A page of webhooks. */
export const WebhookConnection = defineConnection('Webhook', Webhook)
/** A page of deliveries. */
export const WebhookDeliveryConnection = defineConnection('WebhookDelivery', WebhookDelivery)

const WebhookEventType = builder
  .objectRef<{ name: string; description: string }>('WebhookEventType')
  .implement({
    description: 'A kind of event that a webhook can ask for.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Its name.' }),
      description: t.exposeString('description', { description: 'When it is sent.' }),
    }),
  })

builder.queryFields((t) => ({
  webhooks: t.field({
    type: WebhookConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }), ...pageArgs },
    description: `The webhooks of a workspace, oldest first, and those of its apps. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      pageWebhooks(actor, workspaceId, parsePage(page)),
  }),
  webhook: t.field({
    type: Webhook,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The webhook.' }) },
    description: `A webhook. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => requireWebhook(actor, id),
  }),
  webhookDeliveries: t.field({
    type: WebhookDeliveryConnection,
    nullable: true,
    args: {
      webhookId: t.arg.id({ required: true, description: 'The webhook.' }),
      status: t.arg({ type: DeliveryStatus, description: 'Only those of which this became.' }),
      event: t.arg.string({ description: 'Only those of this event, such as `project.created`.' }),
      ...pageArgs,
    },
    description: `What a webhook was sent, the latest first. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { webhookId, status, event, ...page }, { actor }) =>
      listDeliveries(actor, webhookId, parsePage(page), { status, event }),
  }),
  webhookEventTypes: t.field({
    type: [WebhookEventType],
    args: { ofApps: t.arg.boolean({ description: 'Those that the endpoint of an app can ask for.' }) },
    description: 'The events that a webhook of a workspace can ask for.',
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
    args: { webhookId: t.arg.id({ required: true, description: 'The webhook.' }) },
    description: `What a webhook is sent: each message when it is written down, and again after every try. ${takes('workspace:manage-webhooks')}.`,
    subscribe: (_root, { webhookId }, context) => followAs(context, followDeliveries(webhookId)),
    resolve: (row) => row,
  }),
)

const CreateInput = builder.inputType('WebhookCreateInput', {
  description: 'A new webhook.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    clientId: t.id({
      description:
        'An app of the workspace, to make an endpoint of its own: it is told what concerns the app.',
    }),
    url: t.string({ required: true, description: 'An https address on the public internet, port 443.' }),
    events: t.stringList({
      required: true,
      description: 'Which events, such as `project.created` or `project.*`.',
    }),
  }),
})

const UpdateInput = builder.inputType('WebhookUpdateInput', {
  description: 'What changes about a webhook; what is left out stays.',
  fields: (t) => ({
    url: t.string({ description: 'An https address on the public internet, port 443.' }),
    events: t.stringList({ description: 'Which events from now on.' }),
    enabled: t.boolean({ description: 'Whether messages are sent.' }),
  }),
})

const idArg = { required: true, description: 'The webhook.' } as const

builder.mutationFields((t) => ({
  webhookCreate: t.field({
    type: WebhookCreatePayload,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The new webhook.' }) },
    description: `Makes a webhook and answers its signing secret, this once. ${takes('workspace:manage-webhooks')}.`,
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
      input: t.arg({ type: UpdateInput, required: true, description: 'What changes.' }),
    },
    description: `Changes a webhook, or switches it on or off. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { id, input }, { actor }) => updateWebhook(actor, id, input),
  }),
  webhookDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes a webhook with its log. ${takes('workspace:manage-webhooks')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteWebhook(actor, id)
      return true
    },
  }),
  webhookSecretRotate: t.field({
    type: WebhookSecretRotatePayload,
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Gives a webhook a new signing secret and answers it, this once. For a day messages are signed with the old one too. ${takes('workspace:manage-secrets')}.`,
    resolve: async (_root, { id }, { actor }) => {
      const { webhook, secret } = await rotateWebhookSecret(actor, id)
      return { thing: webhook, secret }
    },
  }),
  webhookTest: t.field({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Sends a message of the type \`webhook.test\`, to see whether it arrives. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => sendTestMessage(actor, id),
  }),
  webhookDeliveryResend: t.field({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The delivery.' }) },
    description: `Sends a message again. ${takes('workspace:manage-webhooks')}.`,
    resolve: (_root, { id }, { actor }) => redeliver(actor, id),
  }),
}))
