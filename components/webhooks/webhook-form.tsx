'use client'

import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { eventsOf } from '@/lib/features/webhooks/events'
import { CreationForm } from '../forms/creation-form'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useAddress } from '../forms/use-address'
import { useFormAction } from '../forms/use-form-action'
import { PageHeader } from '../frame/page-header'
import { Section } from '../ui/card'
import { SecretOnce } from '../ui/secret-once'
import { EventsField, UrlField } from './fields'

/** A form to change the URL and the events of a webhook. */
export function WebhookForm({
  webhook,
  action,
}: {
  webhook: { id: string; clientId: string | null; url: string; events: string[] }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const { values, fields, turn } = state
  const refused = turn > 0 && !state.result
  const chosen = refused ? (values.events?.split('\n') ?? []) : eventsOf(webhook)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={webhook.id} />
      <Section title="General">
        <FormOutcome state={state} saved="Webhook saved" />
        <UrlField url={values.url ?? webhook.url} error={fields.url} />
        <EventsField key={turn} app={webhook.clientId !== null} chosen={chosen} error={fields.events} />
      </Section>
      <SaveBar state={state} />
    </form>
  )
}

export type CreatedWebhook = { id: string; secret: string }

/** A form to create a webhook. On success, the page shows the signing secret once in place of the form. */
export function NewWebhookForm({
  workspaceId,
  app,
  trail,
  listHref,
  pagesHref = listHref,
  action,
}: {
  workspaceId: string
  /** The app that owns the webhook; undefined for a workspace's own webhook. */
  app?: { id: string; name: string } | undefined
  /** The breadcrumbs of the page. */
  trail: { label: string; href: string }[]
  listHref: string
  /** The path prefix of the webhook pages. If it is omitted, `listHref` is used. */
  pagesHref?: string
  action: FormAction<CreatedWebhook>
}) {
  const [state, submit] = useFormAction(action)
  const href = state.result && `${pagesHref}/${state.result.id}`
  useAddress(href, 'Webhook created')
  if (state.result && href) {
    const { secret } = state.result
    return (
      <>
        <PageHeader title="Webhook created" trail={trail} />
        <SecretOnce
          label="Signing secret"
          value={secret}
          env={{ WEBHOOK_SECRET: secret }}
          ifLost="rotate the secret on the webhook’s page"
          doneHref={href}
        />
      </>
    )
  }
  const { values, fields, turn } = state
  return (
    <>
      <PageHeader title="New webhook" trail={trail} />
      <CreationForm
        state={state}
        submit={submit}
        place={{ workspaceId, ...(app && { clientId: app.id }) }}
        title="Webhook"
        description={`Sends messages about ${app ? `events of ${app.name}` : 'events in this workspace'} to your endpoint. Messages are signed according to Standard Webhooks.`}
        listHref={listHref}
        button="Create webhook"
      >
        <UrlField url={values.url} error={fields.url} />
        <EventsField
          key={turn}
          app={app !== undefined}
          chosen={values.events?.split('\n') ?? []}
          error={fields.events}
        />
      </CreationForm>
    </>
  )
}
