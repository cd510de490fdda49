'use client'
import { useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { FormOutcome } from '../forms/form-outcome'
import { Select } from '../ui/input'
import { SubmitButton } from '../ui/submit-button'
import { RoleOptions } from './role-options'

/** Someone's role as a select with its own save: choosing alone changes nothing, so that the keyboard can pass by. */
export function RoleForm({
  name,
  role,
  fields,
  action,
}: {
  /** The person's name. */
  name: string
  role: string
  /** Hidden inputs that tell the action whose role is meant. */
  fields: Record<string, string>
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit} className="flex min-w-48 items-center gap-2">
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <FormOutcome state={state} saved="Role changed" />
      <Select
        key={`${role}-${state.turn}`}
        name="role"
        defaultValue={state.values.role ?? role}
        aria-label={`Role of ${name}`}
      >
        <RoleOptions />
      </Select>
      <SubmitButton size="small" variant="secondary" aria-label={`Save the role of ${name}`}>
        Save
      </SubmitButton>
    </form>
  )
}
