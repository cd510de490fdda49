'use server'
import { linesOf } from '@/lib/base/http/body'
import { changeAction, formAction } from '@/lib/edges/web/forms/submit-form'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/features/webhooks/change-webhook'
import { redeliver, sendTestMessage } from '@/lib/features/webhooks/redeliver'

const shown = '/workspaces/[slug]/settings/webhooks'

/**
 * Returns the selected events, except for events that a selected group such as `project.*` includes. The form
 * hides the checkboxes of these events but does not clear them.
 */
const selectedOf = (events: string | undefined): string[] => {
  const lines = linesOf(events)
  return lines.filter((event) => event.endsWith('.*') || !lines.includes(`${event.split('.')[0]}.*`))
}

/** Creates a webhook. Returns the webhook's ID and its secret, which no other response contains. */
export const createWebhookAction = formAction(async (actor, { events, ...input }) => {
  const { webhook, secret } = await createWebhook(actor, { ...input, events: selectedOf(events) })
  return { id: webhook.id, secret }
})

export const updateWebhookAction = changeAction(
  (actor, { id = '', url, events }) => updateWebhook(actor, id, { url, events: selectedOf(events) }),
  shown,
)

export const switchWebhookAction = changeAction(
  (actor, { id = '', enabled }) => updateWebhook(actor, id, { enabled: enabled === 'on' }),
  shown,
)

/** Replaces a webhook's secret. Returns the new secret, which no other response contains. */
export const rotateSecretAction = formAction(async (actor, { id = '' }) => {
  const { secret } = await rotateWebhookSecret(actor, id)
  return { secret }
}, shown)

export const sendTestAction = changeAction((actor, { id = '' }) => sendTestMessage(actor, id), shown)

export const redeliverAction = changeAction((actor, { id = '' }) => redeliver(actor, id), shown)

export const deleteWebhookAction = changeAction((actor, { id = '' }) => deleteWebhook(actor, id))
