'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { OwnPasswordField } from '../two-factor/own-password-field'
import { Section } from '../ui/card'
import { Checkbox } from '../ui/choice'
import { FieldError, SelectField, TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

type LeftBehind = {
  id: string
  name: string
  /** The name of the form field in which the user decides what happens to the workspace. */
  field: string
  heirs: { id: string; name: string; email: string }[]
}

/**
 * A form to delete the account. It explains the consequences. For each workspace in which the user is the
 * only admin, the user chooses a new admin or deletes the workspace. Workspaces without other members can
 * only be deleted.
 */
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
  const alone = workspaces.filter(({ heirs }) => heirs.length === 0)
  const shared = workspaces.filter(({ heirs }) => heirs.length > 0)
  return (
    <form action={submit}>
      <Section
        title="Delete your account"
        description="You’ll be signed out everywhere. Your tokens and keys will stop working, and apps will lose the access you granted. Connected apps will be notified. Workspaces with other admins aren’t affected. This can’t be undone."
        footer={
          <div className="ml-auto">
            <SubmitButton variant="danger">Delete account</SubmitButton>
          </div>
        }
      >
        <FormOutcome state={state} />
        {alone.length > 0 && (
          <div className="grid gap-2">
            <Checkbox
              key={turn}
              name="alone"
              value={alone.map(({ id }) => id).join('\n')}
              required
              defaultChecked={Boolean(values.alone)}
              label={
                alone.length === 1
                  ? `Delete ${alone[0]?.name}`
                  : `Delete the ${alone.length} workspaces that are only yours`
              }
              hint={
                alone.length === 1
                  ? 'No other member can take it over. Its projects, OAuth apps, and tokens will be deleted.'
                  : 'No other member can take them over. Their projects, OAuth apps, and tokens will be deleted.'
              }
            />
            {fields.alone && <FieldError>{fields.alone}</FieldError>}
            {alone.length > 1 && (
              <details className="ml-6.5">
                <summary className="w-fit cursor-pointer rounded-[3px] text-[13px] text-link">
                  Show workspaces
                </summary>
                <ul className="mt-2 grid max-h-64 gap-1 overflow-y-auto rounded-control border p-3 text-sm">
                  {alone.map(({ id, name }) => (
                    <li key={id} className="wrap-anywhere">
                      <bdi>{name}</bdi>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        )}
        {shared.length > 0 && (
          <fieldset className="grid gap-4">
            <legend className="mb-3 text-sm">
              {shared.length === 1
                ? 'You’re the only admin of 1 workspace with other members. What should happen to it?'
                : `You’re the only admin of ${shared.length} workspaces with other members. What should happen to each?`}
            </legend>
            {shared.map(({ id, name, field, heirs }) => (
              <SelectField
                key={`${id}${turn}`}
                label={name}
                name={field}
                required
                defaultValue={values[field] ?? ''}
                error={fields[field]}
              >
                <option value="">Choose</option>
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
