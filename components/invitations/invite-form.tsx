'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { RoleSelect } from '../members/role-select'
import { Section } from '../ui/card'
import { Field, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/** A new invitation; `link` is present if it was not emailed, even if a mail server is configured. */
export type SentInvitation = { email: string; link: string | null; server: boolean }

/** Invites a user to a workspace by email address. */
export function InviteForm({
  workspaceId,
  action,
}: {
  workspaceId: string
  action: FormAction<SentInvitation>
}) {
  const [state, submit] = useFormAction(action)
  const { values, fields, result, turn } = state
  return (
    <form action={submit}>
      <Section
        title="Invite someone"
        description="We’ll email a one-time link, valid for 7 days. Invite again to send a new one."
        footer={<SubmitButton className="ml-auto">Send invitation</SubmitButton>}
      >
        <input type="hidden" name="workspaceId" value={workspaceId} />
        <FormOutcome state={state} {...(result ? { saved: `${result.email} is invited` } : {})} />
        {result?.link && (
          <ValueField
            label="Invitation link"
            value={result.link}
            hint={`Send this link to ${result.email} yourself: ${result.server ? 'we email invitations after you confirm your own email address' : 'this instance has no mail server'}. It won’t be shown again.`}
          />
        )}
        <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_180px]">
          <TextField
            label="Email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            defaultValue={values.email}
            error={fields.email}
          />
          <Field label="Role" error={fields.role}>
            {(control) => <RoleSelect key={turn} defaultValue={values.role ?? 'MEMBER'} {...control} />}
          </Field>
        </div>
      </Section>
    </form>
  )
}
