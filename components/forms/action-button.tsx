'use client'

import { type ComponentProps, type ReactNode, useActionState, useRef, useState } from 'react'
import { type FormAction, type FormState, untouched } from '@/lib/edges/web/forms/form-state'
import { type ButtonLook, pressOnSpace } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { HiddenFields } from '../ui/stack'
import { SubmitButton } from '../ui/submit-button'
import { toast } from '../ui/toast'
import { useSay } from '../ui/use-say'
import { GoButton } from './creation-form'
import { useScripted } from './hydration'
import { attempt } from './use-form-action'
import { WithoutScript } from './without-script'

/**
 * Wraps a server action and reports its success in a toast. A message in the form could be lost, because an
 * action can remove the row of its form or lead to another page. Without JavaScript, the browser posts the
 * form, and the state in the response contains the result or the error.
 * @param done the message on success. A redirect counts as a success, unless it leads to the sign-in page
 * @param whenDone called on success, before the toast appears
 * @param whenRefused called with the error message; if this function is set, the returned state omits the
 * error
 * @param undo called by the toast's Undo button, which is shown only if this function is set
 * @returns the state to show, the form's `action`, and a function that clears the state
 */
export function useAnnouncedAction(
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
  const say = useSay()
  const scripted = useScripted()
  const tell = () => {
    whenDone?.()
    toast(done, 'success', undo)
  }
  const submit = async (form: FormData) => {
    try {
      const next = await attempt(action, state, form, say)
      const reason = reasonIn(next)
      if (!reason) tell()
      else whenRefused?.(reason)
      setAnswered(
        reason && whenRefused ? { ...untouched, turn: next.turn } : { ...next, turn: state.turn + 1 },
      )
    } catch (error) {
      if (leadsToPage(error)) tell()
      throw error
    }
  }
  return [state, scripted ? submit : post, () => setAnswered({ ...untouched, turn: state.turn })]
}

/**
 * Returns an action's error: the message for the whole form or, without such a message, the error of the
 * first invalid field. Returns undefined if there is no error.
 */
export const reasonIn = (state: FormState<unknown>): string | undefined =>
  state.message ?? Object.values(state.fields)[0]

/** Returns whether an action ended with a Next redirect to a page other than the sign-in page. */
function leadsToPage(error: unknown): boolean {
  const { digest } = error as { digest?: unknown }
  return typeof digest === 'string' && /^NEXT_REDIRECT;\w+;(?!\/login\b)/.test(digest)
}

/**
 * A button that runs a server action immediately, without a dialog. A toast shows the error or `done`.
 * `fields` are hidden inputs.
 */
export function ActionButton({
  action,
  fields = {},
  look,
  disabled,
  done,
  children,
}: {
  action: FormAction
  fields?: Record<string, string>
  look?: ButtonLook
  /**
   * Whether there is nothing to do. A button that would disappear after its action must be disabled instead,
   * so that the form can still show the result without JavaScript.
   */
  disabled?: boolean
  /** The message of the toast on success. */
  done: string
  children: ReactNode
}) {
  const [state, submit] = useAnnouncedAction(action, {
    done,
    whenRefused: (reason) => toast(reason, 'danger'),
  })
  const refused = reasonIn(state)
  return (
    <form action={submit}>
      <HiddenFields fields={fields} />
      <SubmitButton variant="secondary" {...look} disabled={disabled}>
        {children}
      </SubmitButton>
      {refused && <WithoutScript tone="danger" message={refused} />}
      {state.result && <WithoutScript tone="success" message={done} />}
    </form>
  )
}

/**
 * A ConfirmDialog for a server action. The dialog shows an error. On success, the dialog closes and a toast
 * shows `done`.
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
  const [state, submit, clear] = useAnnouncedAction(action, {
    done,
    whenDone: () => element.current?.close(),
  })
  const refused = reasonIn(state)
  return (
    <>
      {refused && <WithoutScript tone="danger" message={refused} />}
      <ConfirmDialog {...dialog} dialog={element} action={submit} error={refused} onClose={clear} />
    </>
  )
}

/**
 * A link to a page with a form. It has the role and the keyboard behavior of a button, because browser tests
 * and other automation look for a button with the link's text.
 */
export const PageButton = (link: ComponentProps<typeof GoButton>) => (
  <GoButton role="button" onKeyDown={pressOnSpace} {...link} />
)
