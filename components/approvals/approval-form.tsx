'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { TextField } from '../ui/field'
import { ButtonLink } from '../ui/link'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'

/**
 * The form to decide about a request. Approving requires a recent sign-in, but denying does not. Denying
 * also revokes an unused approval.
 */
export function ApprovalForm({
  id,
  approved,
  signInHref,
  hourly = false,
  takesPassword = false,
  note,
  action,
}: {
  id: string
  /** Whether the request has an unused approval. If so, the form has only a button to revoke the approval. */
  approved: boolean
  /** The URL to sign in again before approving; undefined if the sign-in is recent. */
  signInHref: string | undefined
  /** Whether the request can be approved for an hour. */
  hourly?: boolean
  takesPassword?: boolean
  note?: string
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={{ id }} />
      <FormOutcome state={state} />
      {!approved && (signInHref || note) && (
        <p className="text-[13px] text-muted">
          {signInHref ? 'To approve, sign in again. You’ll then return to this page.' : note}
        </p>
      )}
      {!approved && !signInHref && takesPassword && (
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Required to approve."
          error={state.fields.password}
          className="max-w-[360px]"
        />
      )}
      <div className="flex flex-wrap gap-2">
        {approved ? null : signInHref ? (
          <ButtonLink href={signInHref} variant="primary">
            Sign in again
          </ButtonLink>
        ) : (
          <>
            <SubmitButton name="decision" value="once">
              Approve
            </SubmitButton>
            {hourly && (
              <SubmitButton name="decision" value="hour" variant="secondary">
                Approve for an hour
              </SubmitButton>
            )}
          </>
        )}
        <SubmitButton name="decision" value="deny" variant="quiet">
          {approved ? 'Revoke approval' : 'Deny'}
        </SubmitButton>
      </div>
    </form>
  )
}
