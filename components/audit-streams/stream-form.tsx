'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { Section } from '../ui/card'
import { HiddenFields } from '../ui/hidden-fields'
import { UrlField } from '../webhooks/url-field'

/** Changes where an audit log is sent. */
export function StreamForm({
  place,
  url,
  action,
}: {
  place: Record<string, string>
  url: string
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section title="Address">
        <FormOutcome state={state} saved="Address saved" />
        <UrlField url={state.values.url ?? url} error={state.fields.url} />
      </Section>
      <SaveBar state={state} />
    </form>
  )
}
