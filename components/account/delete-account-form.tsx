'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { OwnPasswordField } from '../two-factor/own-password-field'
import { Section } from '../ui/card'
import { SelectField, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

type LeftBehind = {
  id: string
  name: string
  /** The field that selects what happens to the workspace. */
  field: string
  heirs: { id: string; name: string; email: string }[]
}

/** Deletes an account. Lists the data that is deleted, and asks about each workspace without another admin. */
export function DeleteAccountForm({
  email,
  workspaces,
  asksPassword,
  action,
}: {
  email: string
  workspaces: LeftBehind[]
  asksPassword: boolean
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  const { fields, values, turn } = state
  return (
    <form action={submit}>
      <Section
        title="Delete your account"
        description="You’re signed out everywhere. Your tokens and keys stop working, and apps lose the access you granted. Connected apps are notified. Workspaces with other admins aren’t affected. This can’t be undone."
        footer={
          <div className="ml-auto">
            <SubmitButton variant="danger">Delete account</SubmitButton>
          </div>
        }
      >
        <FormOutcome state={state} />
        {workspaces.length > 0 && (
          <fieldset className="grid gap-4">
            <legend className="mb-3 text-sm">
              {workspaces.length === 1
                ? 'You’re the only admin of 1 workspace. What should happen to it?'
                : `You’re the only admin of ${workspaces.length} workspaces. What should happen to each?`}
            </legend>
            {workspaces.map(({ id, name, field, heirs }) => (
              <SelectField
                key={`${id}${turn}`}
                label={name}
                name={field}
                required
                defaultValue={values[field] ?? (heirs.length === 0 ? 'delete' : '')}
                error={fields[field]}
                hint={heirs.length === 0 ? 'You’re the only member.' : undefined}
              >
                {heirs.length > 0 && <option value="">Choose</option>}
                {heirs.map((heir) => (
                  <option key={heir.id} value={heir.id}>
                    Transfer to {heir.name} ({heir.email})
                  </option>
                ))}
                <option value="delete">Delete it with its projects, OAuth apps, and tokens</option>
              </SelectField>
            ))}
          </fieldset>
        )}
        <TextField
          label="Your email"
          name="confirm"
          required
          autoComplete="off"
          hint={`Type ${email} to confirm.`}
          defaultValue={values.confirm}
          error={fields.confirm}
          className="w-full max-w-[360px]"
        />
        <OwnPasswordField asked={asksPassword} error={fields.password} />
      </Section>
    </form>
  )
}
