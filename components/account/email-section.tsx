'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton, reasonIn } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { OwnPasswordField } from '../two-factor/own-password-field'
import { Alert } from '../ui/alert'
import { Breakable } from '../ui/breakable'
import { TextField } from '../ui/field'
import { Mail } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { MethodRow } from './method-row'

/**
 * Shows the user's email address and whether it is confirmed. If the instance can send email, also shows a
 * form to change the email address. The change takes effect only after the user opens an emailed link and
 * confirms the new email address.
 */
export function EmailSection({
  email,
  verified,
  canMail,
  required,
  asksPassword,
  change,
  verify,
}: {
  email: string
  verified: boolean
  /** Whether the instance can send email. */
  canMail: boolean
  /**
   * The workspace that requires the user to sign in through SSO, and the domain that a new email address must
   * have. Undefined if no workspace requires this.
   */
  required: { workspaceName: string; domain: string } | undefined
  asksPassword: boolean
  change: FormAction<{ email: string }>
  verify: FormAction
}) {
  const [state, submit] = useFormAction(change)
  return (
    <MethodRow
      icon={Mail}
      title="Email address"
      description={
        <>
          <span className="block text-text">
            <Breakable text={email} />
          </span>
          Used for signing in and for messages about your account.
        </>
      }
      status={verified ? { tone: 'good', text: 'Confirmed' } : { tone: 'warning', text: 'Not confirmed' }}
      action={canMail ? 'Change' : undefined}
      open={reasonIn(state) !== undefined || state.result !== undefined}
      aside={<span className="text-[13px] text-muted">This instance can’t send email.</span>}
      more={
        !verified &&
        canMail && (
          <div className="flex flex-wrap items-center justify-between gap-3 py-3">
            <p className="text-[13px] text-muted">Confirm it with the link we send you.</p>
            <ActionButton action={verify} done="Confirmation link sent" look={{ size: 'small' }}>
              Send confirmation link
            </ActionButton>
          </div>
        )
      }
    >
      <form action={submit} className="grid justify-items-start gap-4">
        <FormOutcome state={state} />
        {required && (
          <Alert title={`${required.workspaceName} requires single sign-on`}>
            Your new email must be at {required.domain}. To use another domain, leave the workspace and its
            projects first, or ask a workspace admin to remove you.
          </Alert>
        )}
        {state.result && (
          <Alert tone="success" title={`We’ve sent a link to ${state.result.email}`}>
            Your email changes when you open the link.
          </Alert>
        )}
        <TextField
          label="New email"
          name="email"
          type="email"
          required
          autoComplete="off"
          defaultValue={state.values.email}
          error={state.fields.email}
          className="w-full max-w-[360px]"
        />
        <OwnPasswordField asked={asksPassword} error={state.fields.password} />
        <SubmitButton>Change email</SubmitButton>
      </form>
    </MethodRow>
  )
}
