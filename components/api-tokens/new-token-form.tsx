'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { ButtonLink } from '../ui/button'
import { Section } from '../ui/card'
import { SelectField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { ExpiryField } from './expiry-field'

/** Makes an API token. When it worked, the form gives way to the token, shown this once. */
export function NewTokenForm({
  workspaces,
  listHref,
  action,
}: {
  workspaces: { id: string; name: string }[]
  listHref: string
  action: FormAction<{ token: string }>
}) {
  const [state, submit] = useActionState(action, untouched)
  if (state.result) {
    return (
      <SecretOnce
        label="Token"
        value={state.result.token}
        env={{ API_TOKEN: state.result.token }}
        doneHref={listHref}
      />
    )
  }
  const { values, fields, turn } = state
  return (
    <form action={submit}>
      <Section
        title="Token"
        description="It acts for you at the API, as far as your own roles go."
        footer={
          <>
            <ButtonLink href={listHref}>Cancel</ButtonLink>
            <SubmitButton>Create token</SubmitButton>
          </>
        }
      >
        <FormOutcome state={state} />
        <TextField
          label="Token name"
          name="name"
          required
          maxLength={80}
          autoComplete="off"
          hint="What it is for, such as the machine or job that uses it."
          defaultValue={values.name}
          error={fields.name}
        />
        <SelectField
          key={`workspace-${turn}`}
          label="Workspace"
          name="workspaceId"
          hint="A token for one workspace reaches nothing else, and no personal data."
          defaultValue={values.workspaceId ?? ''}
          error={fields.workspaceId}
        >
          <option value="">All workspaces</option>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <ExpiryField key={`expires-${turn}`} days={values.expiresInDays} error={fields.expiresAt} />
      </Section>
    </form>
  )
}
