'use client'
import { type ComponentProps, useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import { ConfirmDialog } from '../ui/confirm-dialog'

/** A ConfirmDialog over a server action; what the action refuses is said in the dialog. */
export function ConfirmAction({
  action,
  ...dialog
}: Omit<ComponentProps<typeof ConfirmDialog>, 'action' | 'error'> & { action: FormAction }) {
  const [state, submit] = useActionState(action, untouched)
  return <ConfirmDialog {...dialog} action={submit} error={state.message ?? Object.values(state.fields)[0]} />
}
