'use client'
import { startTransition, useEffect, useId, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { reasonIn, useToldAction } from '../forms/action-button'
import { FieldError } from '../ui/field'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { RoleSelect } from './role-select'

/**
 * Someone's role, which takes effect where it is chosen and can be taken back; where no script runs it has a button. Why it
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
  const select = useRef<HTMLSelectElement>(null)
  const chosen = useRef({ from: role, to: role })
  // Not by the form: React resets a form that it has sent, to the role it was drawn with, and only a new select, without the
  // focus that this one has, could show another.
  const give = (to: string) => {
    const form = new FormData()
    for (const [key, value] of Object.entries({ ...fields, role: to })) form.set(key, value)
    startTransition(() => submit(form))
  }
  const undo = () => {
    const { from, to } = chosen.current
    chosen.current = { from: to, to: from }
    give(from)
  }
  const [state, submit] = useToldAction(action, { done: `Role of ${name} changed`, undo })
  // What was chosen before anything listened, or was refused, has changed nothing, and must not look as if it had.
  useEffect(() => {
    if (select.current) select.current.value = role
  }, [role])
  useEffect(() => {
    if (select.current && reasonIn(state)) select.current.value = role
  }, [role, state])
  const errorId = useId()
  const refused = reasonIn(state)
  return (
    <form action={submit} className="grid w-36 gap-1.5 max-sm:w-full">
      <HiddenFields fields={fields} />
      <RoleSelect
        ref={select}
        aria-label={`Role of ${name}`}
        aria-invalid={refused ? true : undefined}
        aria-describedby={refused ? errorId : undefined}
        defaultValue={role}
        onChange={({ currentTarget }) => {
          chosen.current = { from: role, to: currentTarget.value }
          give(currentTarget.value)
        }}
      />
      <noscript>
        <SubmitButton variant="secondary" size="small">
          Save <span className="sr-only">role of {name}</span>
        </SubmitButton>
      </noscript>
      {refused && (
        <div role="alert" className="whitespace-normal">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
    </form>
  )
}
