'use client'
import { type ComponentProps, useRef } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { reasonIn, useToldAction } from './use-told-action'
import { WithoutScript } from './without-script'

/**
 * A ConfirmDialog over a server action. What the action refuses is said in the dialog; when it worked the dialog closes
 * and a toast says `done`.
 */
export function ConfirmAction({
  action,
  done,
  ...dialog
}: Omit<ComponentProps<typeof ConfirmDialog>, 'action' | 'error' | 'dialog' | 'onClose'> & {
  action: FormAction
  done: string
}) {
  const element = useRef<HTMLDialogElement>(null)
  const [state, submit, clear] = useToldAction(action, { done, whenDone: () => element.current?.close() })
  const refused = reasonIn(state)
  return (
    <>
      {refused && <WithoutScript tone="danger" message={refused} />}
      <ConfirmDialog {...dialog} dialog={element} action={submit} error={refused} onClose={clear} />
    </>
  )
}
