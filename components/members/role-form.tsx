'use client'
import { useId } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn, useToldAction } from '../forms/use-told-action'
import { FieldError } from '../ui/field'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'
import { RoleSelect } from './role-select'

/**
 * Someone's role as a select with its own save: choosing alone changes nothing, so that the keyboard can pass by. Why it
 * cannot be changed (the last admin) is said under it.
 */
export function RoleForm({
  name,
  role,
  fields,
  action,
}: {
  /** The person's name. */
  name: string
  role: string
  /** Hidden inputs that tell the action whose role is meant, and where. */
  fields: Record<string, string>
  action: FormAction
}) {
  const [state, submit] = useToldAction(action, { done: `Role of ${name} changed` })
  const errorId = useId()
  const refused = reasonIn(state)
  return (
    <form action={submit} className="grid w-56 gap-1.5">
      <HiddenFields fields={fields} />
      <div className="flex items-center gap-2">
        <div className="flex-1">
          <RoleSelect
            key={`${role}-${state.turn}`}
            aria-label={`Role of ${name}`}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? errorId : undefined}
            defaultValue={role}
          />
        </div>
        <SubmitButton variant="secondary">
          Save <span className="sr-only">role of {name}</span>
        </SubmitButton>
      </div>
      {refused && (
        <div role="alert" className="whitespace-normal">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
    </form>
  )
}
