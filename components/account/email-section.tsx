'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { FormOutcome } from '../forms/form-outcome'
import { OwnPasswordField } from '../two-factor/own-password-field'
import { Alert } from '../ui/alert'
import { Badge } from '../ui/badge'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** The person's address: whether it is confirmed, and changing it by a link to the new one. */
export function EmailSection({
  email,
  verified,
  canMail,
  asksPassword,
  change,
  verify,
}: {
  email: string
  verified: boolean
  /** Whether this service can send mail at all. */
  canMail: boolean
  asksPassword: boolean
  change: FormAction<{ email: string }>
  verify: FormAction
}) {
  const [state, submit] = useActionState(change, untouched)
  return (
    <Section
      title="Email address"
      description="You sign in with it, and mails about your account go there."
      action={
        !verified && canMail ? (
          <ActionButton action={verify} done="A link is on its way">
            Send confirmation link
          </ActionButton>
        ) : undefined
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <span className="break-all font-medium">{email}</span>
        {verified ? <Badge tone="success">Confirmed</Badge> : <Badge tone="warning">Not confirmed</Badge>}
      </p>
      {canMail ? (
        <form action={submit} className="grid justify-items-start gap-4">
          <FormOutcome state={state} />
          {state.result && (
            <Alert tone="success" title={`A link was mailed to ${state.result.email}`}>
              Your address changes when you follow it. Until then nothing is different.
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
          <SubmitButton variant="secondary">Change email</SubmitButton>
        </form>
      ) : (
        <p className="text-muted">
          This service is not set up to send mail, so addresses cannot be confirmed or changed.
        </p>
      )}
    </Section>
  )
}
