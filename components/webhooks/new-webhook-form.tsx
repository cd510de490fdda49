'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { PageHeader } from '../frame/page-header'
import { SecretOnce } from '../ui/secret-once'
import { EventsField } from './events-field'
import { UrlField } from './url-field'

export type CreatedWebhook = { id: string; secret: string }

/** The page that makes a webhook. When it worked, the form gives way to its signing secret, shown this once. */
export function NewWebhookForm({
  workspaceId,
  app,
  trail,
  listHref,
  pagesHref = listHref,
  action,
}: {
  workspaceId: string
  /** Whose own endpoint it is; none for one of the workspace. */
  app?: { id: string; name: string } | undefined
  /** Where the page is. */
  trail: { label: string; href: string }[]
  listHref: string
  /** Below which the pages of webhooks lie. */
  pagesHref?: string
  action: FormAction<CreatedWebhook>
}) {
  const [state, submit] = useActionState(action, untouched)
  if (state.result) {
    const { id, secret } = state.result
    return (
      <>
        <PageHeader title="Webhook created" trail={trail} />
        <SecretOnce
          label="Signing secret"
          value={secret}
          env={{ WEBHOOK_SECRET: secret }}
          ifLost="rotate the secret on the webhook’s page"
          doneHref={`${pagesHref}/${id}`}
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
        description={`Tells an address of yours ${app ? `what concerns ${app.name}` : 'what happens in this workspace'}. Messages are signed as Standard Webhooks.`}
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
