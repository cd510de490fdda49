'use client'
import { useEffect, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { TextField } from '../ui/field'
import { RectangleEllipsis } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { MethodRow } from './method-row'

/**
 * A form to change the password, or to set a password if the user has none. It folds up after a successful
 * change.
 */
export function PasswordForm({
  hasPassword,
  email,
  action,
}: {
  hasPassword: boolean
  email: string
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (state.result && fold.current) fold.current.open = false
  }, [state])
  return (
    <MethodRow
      icon={RectangleEllipsis}
      title="Password"
      description={
        hasPassword
          ? 'Changing your password signs you out everywhere else.'
          : 'You sign in without a password. Set a password to add another sign-in method.'
      }
      status={hasPassword ? { tone: 'good', text: 'Set' } : { tone: 'off', text: 'Not set' }}
      action={hasPassword ? 'Change' : 'Set'}
      open={reasonIn(state) !== undefined}
      fold={fold}
    >
      <form action={submit} className="grid justify-items-start gap-4">
        <FormOutcome state={state} saved="Password changed" />
        {/* Names the account for password managers. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <TextField
            label="Current password"
            name="current"
            type="password"
            required
            autoComplete="current-password"
            error={state.fields.current}
            className="w-full max-w-[360px]"
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
          className="w-full max-w-[360px]"
        />
        <SubmitButton>{hasPassword ? 'Change password' : 'Set password'}</SubmitButton>
      </form>
    </MethodRow>
  )
}
