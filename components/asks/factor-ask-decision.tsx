'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { ButtonLink } from '../ui/button-link'
import { TextField } from '../ui/field'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** Approve once or deny. To approve takes a fresh sign-in, and the password besides; to deny takes neither, also what was approved. */
export function FactorAskDecision({
  id,
  approved,
  signInHref,
  hasPassword,
  action,
}: {
  id: string
  approved: boolean
  signInHref: string | undefined
  hasPassword: boolean
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={{ id }} />
      <FormOutcome state={state} />
      {approved ? null : signInHref ? (
        <p className="text-[13px] text-muted">
          To approve it, sign in once more, with your second factor if you have one. You come back to this
          page.
        </p>
      ) : (
        hasPassword && (
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            hint="To approve it. Denying takes no password."
            error={state.fields.password}
            className="max-w-[360px]"
          />
        )
      )}
      <div className="flex flex-wrap gap-2">
        {approved ? null : signInHref ? (
          <ButtonLink href={signInHref} variant="primary" prefetch={false}>
            Sign in to approve
          </ButtonLink>
        ) : (
          <SubmitButton name="decision" value="once">
            Approve once
          </SubmitButton>
        )}
        <SubmitButton name="decision" value="deny" variant="quiet">
          Deny
        </SubmitButton>
      </div>
    </form>
  )
}
