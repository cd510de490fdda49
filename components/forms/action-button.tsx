'use client'
import type { ReactNode } from 'react'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import type { ButtonLook } from '../ui/button'
import { HiddenFields } from '../ui/hidden-fields'
import { SubmitButton } from '../ui/submit-button'
import { toast } from '../ui/toast'
import { reasonIn, useToldAction } from './use-told-action'
import { WithoutScript } from './without-script'

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
  done: string
  children: ReactNode
}) {
  const [state, submit] = useToldAction(action, { done, whenRefused: (reason) => toast(reason, 'danger') })
  const refused = reasonIn(state)
  return (
    <form action={submit}>
      <HiddenFields fields={fields} />
      <SubmitButton variant="secondary" {...look}>
        {children}
      </SubmitButton>
      {refused && <WithoutScript tone="danger" message={refused} />}
      {state.result && <WithoutScript tone="success" message={done} />}
    </form>
  )
}
