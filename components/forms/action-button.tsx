'use client'
import { type ReactNode, useActionState } from 'react'
import { type FormAction, untouched } from '@/lib/web/form-state'
import type { ButtonLook } from '../ui/button'
import { SubmitButton } from '../ui/submit-button'
import { ToastOnce } from '../ui/toast'

/** One button over a server action, for what needs no question. `fields` are hidden inputs. */
export function ActionButton({
  action,
  fields = {},
  look,
  done,
  children,
}: {
  action: FormAction
  fields?: Record<string, string>
  look?: ButtonLook
  /** Said in a toast when it worked. */
  done?: string
  children: ReactNode
}) {
  const [state, submit] = useActionState(action, untouched)
  return (
    <form action={submit}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.message && <ToastOnce key={state.turn} message={state.message} tone="danger" />}
      {state.result && done && <ToastOnce key={state.turn} message={done} />}
      <SubmitButton variant="secondary" {...look}>
        {children}
      </SubmitButton>
    </form>
  )
}
