'use client'

import {
  type ComponentProps,
  type ReactNode,
  useActionState,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import type { ButtonLook } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { toast } from '../ui/toast'
import { WithoutScript } from './without-script'

const never = () => () => {}

/**
 * A server action whose result is told in a toast by the one who waits for the answer, not by what is rendered: the row
 * that asked may be gone by then, or the whole page. Without a script the form posts as it is, and a refusal comes with
 * the page that answers.
 * @param done said when it worked, also when the action leads to another page; not on the way to the sign-in page
 * @param whenDone called before that is said
 * @param whenRefused called with the reason; without it the state holds the reason
 * @param undo offered beside what was done
 * @returns the state to show, and what the form's `action` is
 */
export function useToldAction(
  action: FormAction,
  {
    done,
    whenDone,
    whenRefused,
    undo,
  }: {
    done: string
    whenDone?: () => void
    whenRefused?: (reason: string) => void
    undo?: (() => void) | undefined
  },
): [state: FormState, submit: (form: FormData) => void | Promise<void>, clear: () => void] {
  const [posted, post] = useActionState(action, untouched)
  const [answered, setAnswered] = useState<FormState>(untouched)
  const state = posted.turn > answered.turn ? posted : answered
  const scripted = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const tell = () => {
    whenDone?.()
    toast(done, 'success', undo)
  }
  const submit = async (form: FormData) => {
    try {
      const next = await action(state, form)
      const reason = reasonIn(next)
      if (!reason) tell()
      else whenRefused?.(reason)
      setAnswered(reason && whenRefused ? { ...untouched, turn: next.turn } : next)
    } catch (error) {
      if (leadsToPage(error)) tell()
      throw error
    }
  }
  return [state, scripted ? submit : post, () => setAnswered({ ...untouched, turn: state.turn })]
}

/** Why an action was refused, as one sentence. */
export const reasonIn = (state: FormState<unknown>): string | undefined =>
  state.message ?? Object.values(state.fields)[0]

/** Whether an action ended in a redirect of Next's to a page of the product other than sign-in. */
function leadsToPage(error: unknown): boolean {
  const { digest } = error as { digest?: unknown }
  return typeof digest === 'string' && /^NEXT_REDIRECT;\w+;(?!\/login\b)/.test(digest)
}

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
