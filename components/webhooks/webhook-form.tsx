'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { Section } from '../ui/card'
import { EventsField } from './events-field'
import { UrlField } from './url-field'

/** Changes where a webhook's messages go and what they tell of. */
export function WebhookForm({
  webhook,
  action,
}: {
  webhook: { id: string; clientId: string | null; url: string; events: string[] }
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const { values, fields, turn } = state
  const refused = turn > 0 && !state.result
  const chosen = refused ? (values.events?.split('\n') ?? []) : webhook.events
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
