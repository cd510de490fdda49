import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useFormStatus } from 'react-dom'
import type { FormState } from '@/lib/edges/web/forms/form-state'
import {
  countChangedFields,
  type FormValues,
  readFormValues,
  readInitialFormValues,
  restoreFormValues,
} from './form-values'
import { useFromServer } from './hydration'

/**
 * Compares a form with its initial or last saved values. While the form has unsaved changes, Ctrl+S or Cmd+S
 * saves the form, and the browser asks for confirmation before the user leaves the site or reloads the page.
 * @param mark an element within the form
 * @param state the result of the form; a success resets the comparison
 * @returns the number of changed fields (0 while the form is being saved), a function that restores the saved
 * values, and whether the form is being saved
 */
export function useUnsaved(
  mark: RefObject<HTMLElement | null>,
  state: FormState<unknown>,
): { count: number; discard: () => void; pending: boolean } {
  const saved = useRef<FormValues>(new Map())
  const [count, setCount] = useState(0)
  // Users can type before hydration, so the current values of a form from the server might not be its saved
  // values.
  const fromServer = useFromServer()
  const { pending } = useFormStatus()
  const compare = useCallback(() => {
    const form = mark.current?.closest('form')
    if (form) setCount(countChangedFields(saved.current, readFormValues(form)))
  }, [mark])

  useEffect(() => {
    const form = mark.current?.closest('form')
    if (!form) return
    if (!state.failure && (state.turn === 0 || state.result !== undefined))
      saved.current = state.turn === 0 && fromServer ? readInitialFormValues(form) : readFormValues(form)
    compare()
    // Compare after all listeners have run, because another listener might check boxes in response to the
    // same click.
    const later = () => setTimeout(compare)
    // At this moment, useEarlyInput has fired events, but React has not yet rendered their effects.
    if (fromServer && state.turn === 0) later()
    const kinds = ['input', 'change', 'click', 'reset']
    for (const kind of kinds) form.addEventListener(kind, later)
    return () => {
      for (const kind of kinds) form.removeEventListener(kind, later)
    }
  }, [mark, state, fromServer, compare])

  useEffect(() => {
    if (count === 0 || pending) return
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      mark.current?.closest('form')?.requestSubmit()
    }
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('keydown', save)
    window.addEventListener('beforeunload', hold)
    return () => {
      document.removeEventListener('keydown', save)
      window.removeEventListener('beforeunload', hold)
    }
  }, [mark, count, pending])

  const discard = () => {
    const form = mark.current?.closest('form')
    if (form) restoreFormValues(form, saved.current)
    compare()
  }
  return { count: pending ? 0 : count, discard, pending }
}
