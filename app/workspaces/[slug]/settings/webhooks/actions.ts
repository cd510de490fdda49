'use server'
import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { CreatedWebhook } from '@/components/webhooks/new-webhook-form'
import { safeNext } from '@/lib/base/http/safe-next'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import { submitForm } from '@/lib/edges/web/forms/submit-form'
import { createWebhook, deleteWebhook, updateWebhook } from '@/lib/features/webhooks/change-webhook'
import { redeliver } from '@/lib/features/webhooks/redeliver'
import { rotateWebhookSecret } from '@/lib/features/webhooks/rotate-secret'
import { sendTestMessage } from '@/lib/features/webhooks/send-test'

const showAnew = () => revalidatePath('/workspaces/[slug]/settings/webhooks', 'layout')

/** Checkboxes of one name arrive as lines, and not at all when none is checked. */
const eventsOf = (lines = '') => lines.split('\n').filter(Boolean)

/** The secret travels in the answer to this one request and is kept nowhere. */
export const createWebhookAction = async (previous: FormState<CreatedWebhook>, form: FormData) =>
  submitForm(previous, form, async (actor, { events, ...input }) => {
    const { webhook, secret } = await createWebhook(actor, { ...input, events: eventsOf(events) })
    return { id: webhook.id, secret }
  })

export const updateWebhookAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', url, events }) => {
    await updateWebhook(actor, id, { url, events: eventsOf(events) })
    showAnew()
    return true as const
  })

export const switchWebhookAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', enabled }) => {
    await updateWebhook(actor, id, { enabled: enabled === 'on' })
    showAnew()
    return true as const
  })

/** The secret travels in the answer to this one request and is kept nowhere. */
export const rotateSecretAction = async (previous: FormState<{ secret: string }>, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    const { secret } = await rotateWebhookSecret(actor, id)
    showAnew()
    return { secret }
  })

export const sendTestAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await sendTestMessage(actor, id)
    showAnew()
    return true as const
  })

export const redeliverAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '' }) => {
    await redeliver(actor, id)
    showAnew()
    return true as const
  })

export const deleteWebhookAction = async (previous: FormState, form: FormData) =>
  submitForm(previous, form, async (actor, { id = '', back = '/' }) => {
    await deleteWebhook(actor, id)
    redirect(safeNext(back))
  })
