'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { ButtonLink } from '../ui/button-link'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'

/** Approve once, approve for an hour, deny. To approve takes a fresh sign-in: where there is none, the way to one. */
export function AskDecision({
  id,
  app,
  signInHref,
  action,
}: {
  id: string
  app: string
  signInHref: string | undefined
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit} className="grid gap-4">
      <HiddenFields fields={{ id }} />
      <FormOutcome state={state} />
      <p className="text-[13px] text-muted">
        {signInHref
          ? 'To approve it, sign in once more: a passkey is enough. You come back to this page.'
          : `Approve it only if you told ${app} to do this. Don’t go by the names above: people chose them.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {signInHref ? (
          <ButtonLink href={signInHref} variant="primary" prefetch={false}>
            Sign in to approve
          </ButtonLink>
        ) : (
          <>
            <SubmitButton name="decision" value="once">
              Approve once
            </SubmitButton>
            <SubmitButton name="decision" value="hour" variant="secondary">
              Approve for an hour
            </SubmitButton>
          </>
        )}
        <SubmitButton name="decision" value="deny" variant="quiet">
          Deny
        </SubmitButton>
      </div>
    </form>
  )
}
