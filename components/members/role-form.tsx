'use client'
import { useActionState, useId } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { FieldError } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { ToastOnce } from '../ui/toast'
import { RoleSelect } from './role-select'

/** One member's role, to be changed; why it cannot be (the last admin) is said under it. */
export function RoleForm({
  member,
  workspaceId,
  action,
}: {
  member: { id: string; name: string; role: string }
  workspaceId: string
  action: FormAction
}) {
  const [state, submit] = useActionState(action, untouched)
  const errorId = useId()
  const refused = state.message ?? Object.values(state.fields)[0]
  return (
    <form action={submit} className="grid w-56 gap-1.5">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <input type="hidden" name="userId" value={member.id} />
      <div className="flex items-center gap-2">
        <div className="flex-1">
          <RoleSelect
            key={`${member.role}-${state.turn}`}
            aria-label={`Role of ${member.name}`}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? errorId : undefined}
            defaultValue={member.role}
          />
        </div>
        <SubmitButton variant="secondary">
          Save <span className="sr-only">role of {member.name}</span>
        </SubmitButton>
      </div>
      {refused && (
        <div role="alert" className="whitespace-normal">
          <FieldError id={errorId}>{refused}</FieldError>
        </div>
      )}
      {state.result && <ToastOnce key={state.turn} message={`Role of ${member.name} changed`} />}
    </form>
  )
}
