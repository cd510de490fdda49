'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { RoleSelect } from '../members/role-select'
import { Button } from '../ui/button'
import { Field, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/**
 * A new invitation. `link` is null if the invitation was emailed. `server`: whether the instance has a mail
 * server. Even with a mail server, the instance does not email invitations from users whose own email address
 * is not confirmed.
 */
export type SentInvitation = { email: string; link: string | null; server: boolean }

/** A form to invite a user to a workspace by email address, in a dialog or on a page. */
export function InviteForm({
  workspaceId,
  action,
  onClose,
}: {
  workspaceId: string
  action: FormAction<SentInvitation>
  /** Closes the dialog; absent on a page. */
  onClose?: () => void
}) {
  const [state, submit] = useFormAction(action)
  const { values, fields, result, turn } = state
  return (
    <form action={submit} className="grid max-w-lg gap-5">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <p className="text-muted">
        We’ll email a one-time link that is valid for 7 days. To send a new link, invite the user again.
      </p>
      <FormOutcome state={state} {...(result ? { saved: `${result.email} is invited` } : {})} />
      {result?.link && (
        <ValueField
          label="Invitation link"
          value={result.link}
          hint={`Send this link to ${result.email} yourself: ${result.server ? 'we email invitations after you confirm your own email address' : 'this instance has no mail server'}. It won’t be shown again.`}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_140px]">
        <TextField
          key={`email ${turn}`}
          label="Email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          autoFocus={onClose !== undefined}
          defaultValue={values.email}
          error={fields.email}
        />
        <Field label="Role" error={fields.role}>
          {(control) => <RoleSelect key={turn} defaultValue={values.role ?? 'MEMBER'} {...control} />}
        </Field>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {onClose && <Button onClick={onClose}>{result ? 'Done' : 'Cancel'}</Button>}
        <SubmitButton>Send invitation</SubmitButton>
      </div>
    </form>
  )
}
