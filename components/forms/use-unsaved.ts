import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useFormStatus } from 'react-dom'
import type { FormState } from '@/lib/edges/web/forms/form-state'

/** The values of a form, by field name. */
type Held = ReadonlyMap<string, readonly string[]>

/** Returns what a form would send, without the fields that React adds. */
function heldBy(form: HTMLFormElement): Held {
  const held = new Map<string, string[]>()
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith('$ACTION')) continue
    held.set(name, [...(held.get(name) ?? []), typeof value === 'string' ? value : value.name])
  }
  return held
}

/** Counts the fields that differ between two states of a form. */
function changesBetween(before: Held, after: Held): number {
  const names = new Set([...before.keys(), ...after.keys()])
  const same = (name: string) => {
    const [one, other] = [before.get(name) ?? [], after.get(name) ?? []]
    return one.length === other.length && one.every((value, at) => value === other[at])
  }
  return [...names].filter((name) => !same(name)).length
}

/** Restores the values of a form as user input would, so that listeners receive the events. */
function putBack(form: HTMLFormElement, held: Held): void {
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      const wanted = held.get(field.name)?.includes(field.value) ?? false
      if (field.checked !== wanted && (wanted || field.type === 'checkbox')) field.click()
    } else if (field instanceof HTMLSelectElement) {
      field.value = held.get(field.name)?.[0] ?? field.value
      field.dispatchEvent(new Event('change', { bubbles: true }))
    } else if (field instanceof HTMLTextAreaElement) {
      type(field, HTMLTextAreaElement.prototype, held)
    } else if (field instanceof HTMLInputElement && field.type !== 'hidden' && field.type !== 'file') {
      type(field, HTMLInputElement.prototype, held)
    }
  }
}

function type(field: HTMLInputElement | HTMLTextAreaElement, prototype: object, held: Held): void {
  const text = held.get(field.name)?.[0]
  if (!field.name || text === undefined || field.value === text) return
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Compares a form with its initial or last saved values. Ctrl S saves, and the browser asks before it leaves the page.
 * @param mark an element within the form
 * @param state the result of the form; a success resets the comparison
 * @returns the number of changed fields, and a function that restores them
 */
export function useUnsaved(
  mark: RefObject<HTMLElement | null>,
  state: FormState<unknown>,
): { count: number; discard: () => void } {
  const saved = useRef<Held>(new Map())
  const [count, setCount] = useState(0)
  const { pending } = useFormStatus()
  const compare = useCallback(() => {
    const form = mark.current?.closest('form')
    if (form) setCount(changesBetween(saved.current, heldBy(form)))
  }, [mark])

  useEffect(() => {
    const form = mark.current?.closest('form')
    if (!form) return
    if (state.turn === 0 || state.result !== undefined) saved.current = heldBy(form)
    compare()
    // A script might check boxes on a click after all other listeners ran.
    const later = () => setTimeout(compare)
    const kinds = ['input', 'change', 'click', 'reset']
    for (const kind of kinds) form.addEventListener(kind, later)
    return () => {
      for (const kind of kinds) form.removeEventListener(kind, later)
    }
  }, [mark, state, compare])

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
    if (form) putBack(form, saved.current)
    compare()
  }
  return { count: pending ? 0 : count, discard }
}
