'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { projectRoleHint, RoleOptions } from '../members/role-select'
import { Alert } from '../ui/alert'
import { Section } from '../ui/card'
import { SelectField, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { ValueField } from '../ui/value-field'

/**
 * A form to add a user to a project by email address. Users who are not members of the project's workspace
 * are invited, and the invitation link is shown once.
 */
export function AddMemberForm({
  projectId,
  action,
}: {
  projectId: string
  action: FormAction<{ link?: string | null }>
}) {
  const [state, submit] = useFormAction(action)
  const { values, fields, turn, result } = state
  return (
    <form action={submit}>
      <input type="hidden" name="projectId" value={projectId} />
      <Section
        title="Add someone"
        description="Workspace members are added immediately. Anyone else gets an email invitation to this project only."
        footer={<SubmitButton className="ml-auto">Add member</SubmitButton>}
      >
        <FormOutcome state={state} {...(result && !result.link ? { saved: 'Member added' } : {})} />
        {result?.link && (
          <>
            <Alert tone="success" title="Invitation sent" />
            <ValueField
              label="Invitation link"
              value={result.link}
              hint="It won’t be shown again. Anyone who has the link can use it, but only once and within 7 days."
            />
          </>
        )}
        <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,1fr)_180px]">
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
          <SelectField
            key={turn}
            label="Role"
            name="role"
            defaultValue={values.role ?? 'MEMBER'}
            error={fields.role}
          >
            <RoleOptions />
          </SelectField>
        </div>
        <p className="text-[13px] text-muted">{projectRoleHint}</p>
      </Section>
    </form>
  )
}
