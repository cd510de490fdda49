'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/edges/web/forms/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Section } from '../ui/card'
import { TextField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'

/** Makes somebody an admin of a workspace that has none who can sign in. */
export function GiveWorkspace({
  workspace: { id, people },
  action,
}: {
  workspace: {
    id: string
    /** Its members who can sign in, of whom it must be one; none, and it may be anybody. */
    people: { email: string; name: string }[]
  }
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      <input type="hidden" name="id" value={id} />
      <Section
        title="Abandoned"
        description="Its admins are all suspended or gone. Whoever you name becomes an admin and is told; it stands in the workspace’s audit log. It can’t be you."
        footer={
          <div className="ml-auto">
            <SubmitButton>Make admin</SubmitButton>
          </div>
        }
      >
        <FormOutcome state={state} saved="It has an admin again" />
        <TextField
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="off"
          list={people.length > 0 ? 'heirs' : undefined}
          hint={
            people.length > 0
              ? 'Of a member who can sign in.'
              : 'Nobody in it can sign in, so it may be anybody.'
          }
          defaultValue={state.values.email}
          error={state.fields.email}
        />
        <datalist id="heirs">
          {people.map(({ email, name }) => (
            <option key={email} value={email}>
              {name}
            </option>
          ))}
        </datalist>
      </Section>
    </form>
  )
}
