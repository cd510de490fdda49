'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** Changes the password, or sets the first one of a person who came through an identity provider. */
export function PasswordForm({
  hasPassword,
  email,
  action,
}: {
  hasPassword: boolean
  email: string
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      <Section
        title="Password"
        description="Changing it signs you out everywhere but here. API tokens and authorized apps go on working."
        footer={
          <SubmitButton className="ml-auto">{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
        }
      >
        <FormOutcome state={state} saved="Password changed" />
        {/* Tells a password manager which account this is. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <TextField
            label="Present password"
            name="current"
            type="password"
            required
            autoComplete="current-password"
            error={state.fields.current}
          />
        )}
        <TextField
          label="New password"
          name="password"
          type="password"
          required
          minLength={10}
          autoComplete="new-password"
          hint="At least 10 characters. A few words are easier to remember than symbols."
          error={state.fields.password}
        />
      </Section>
    </form>
  )
}
