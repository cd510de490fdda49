'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { RoleOptions } from '../members/role-select'
import { ButtonLink } from '../ui/button'
import { Section } from '../ui/card'
import { SelectField, TextField } from '../ui/field'
import { SecretOnce } from '../ui/secret-once'
import { SubmitButton } from '../ui/submit-button'
import { ExpiryField } from './expiry-field'

/** Makes a workspace or project token. When it worked, the form gives way to the token, shown this once. */
export function NewConfinedTokenForm({
  fields: place,
  title,
  description,
  envName,
  listHref,
  action,
}: {
  /** Hidden inputs that say where it reaches. */
  fields: Record<string, string>
  title: string
  description: string
  /** What the .env download calls it. */
  envName: string
  listHref: string
  action: FormAction<{ token: string }>
}) {
  const [state, submit] = useActionState(action, untouched)
  if (state.result) {
    const { token } = state.result
    return <SecretOnce label="Token" value={token} env={{ [envName]: token }} doneHref={listHref} />
  }
  const { values, fields, turn } = state
  return (
    <form action={submit}>
      {Object.entries(place).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Section
        title={title}
        description={description}
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
          key={`role-${turn}`}
          label="Role"
          name="role"
          hint="The most it may do. Viewers read, but see no values of variables."
          defaultValue={values.role ?? 'MEMBER'}
          error={fields.role}
        >
          <RoleOptions />
        </SelectField>
        <ExpiryField key={`expires-${turn}`} days={values.expiresInDays} error={fields.expiresAt} />
      </Section>
    </form>
  )
}
