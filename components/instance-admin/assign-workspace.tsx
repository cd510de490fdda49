'use client'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { useFormAction } from '../forms/use-form-action'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** A form to make a user an admin of a workspace in which no admin can sign in. */
export function AssignWorkspace({
  workspace: { id, users },
  action,
}: {
  workspace: {
    id: string
    /**
     * The first few members who can sign in, as suggestions. If the list is not empty, the new admin must be
     * a member who can sign in.
     */
    users: { email: string; name: string }[]
  }
  action: FormAction
}) {
  const [state, submit] = useFormAction(action)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={id} />
      <Section
        title="Abandoned"
        description="All admins of this workspace are suspended or deleted. The user you choose becomes an admin and is notified, and the change is recorded in the workspace’s audit log. You can’t choose yourself."
        footer={
          <div className="ml-auto">
            <SubmitButton>Make admin</SubmitButton>
          </div>
        }
      >
        <FormOutcome state={state} saved="Admin added" />
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="off"
          list={users.length > 0 ? 'heirs' : undefined}
          hint={
            users.length > 0
              ? 'The email of a member who can sign in.'
              : 'None of its members can sign in, so you can choose any user.'
          }
          defaultValue={state.values.email}
          error={state.fields.email}
        />
        <datalist id="heirs">
          {users.map(({ email, name }) => (
            <option key={email} value={email}>
              {name}
            </option>
          ))}
        </datalist>
      </Section>
    </form>
  )
}
