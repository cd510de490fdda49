'use client'

import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { CreationForm } from '../forms/creation-form'
import { FormOutcome } from '../forms/form-outcome'
import { SaveBar } from '../forms/save-bar'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { SecretOnce } from '../ui/secret-once'
import { HiddenFields } from '../ui/stack'
import { UrlField } from '../webhooks/fields'

/** A form to change the destination of an audit log stream. */
export function StreamForm({
  place,
  url,
  action,
}: {
  place: Record<string, string>
  url: string
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <HiddenFields fields={place} />
      <Section title="URL">
        <FormOutcome state={state} saved="URL saved" />
        <UrlField url={state.values.url ?? url} error={state.fields.url} />
      </Section>
      <SaveBar state={state} />
    </form>
  )
}

/**
 * A form to start a stream of an audit log. On success, the signing secret replaces the form and is shown
 * only once.
 */
export function NewStreamForm({
  place,
  href,
  logHref,
  action,
}: {
  /** The hidden field for the ID of the workspace; empty for the instance's audit log. */
  place: Record<string, string>
  /** The URL of this page, to return to after the user has stored the secret. */
  href: string
  /** The URL of the audit log. */
  logHref: string
  action: FormAction<{ secret: string }>
}) {
  const [state, submit] = useFormAction(action)
  if (state.result) {
    const { secret } = state.result
    return (
      <SecretOnce
        title="Your stream is ready: store its signing secret now"
        label="Signing secret"
        value={secret}
        env={{ AUDIT_STREAM_SECRET: secret }}
        ifLost="rotate the secret on the stream’s page"
        doneHref={href}
      />
    )
  }
  const { values, fields } = state
  return (
    <CreationForm
      state={state}
      submit={submit}
      place={place}
      title="Stream"
      description="Stream audit events to your own endpoint within seconds, in order. Messages are signed according to Standard Webhooks."
      listHref={logHref}
      button="Start streaming"
    >
      <UrlField url={values.url} error={fields.url} />
    </CreationForm>
  )
}
