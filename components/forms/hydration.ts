import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'

const never = () => () => {}

/** Returns whether JavaScript is running: false on the server and during hydration. */
export const useScripted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/**
 * Returns whether the component was in the page that the server sent, so that the user might have entered
 * input before hydration. The result does not change.
 */
export const useFromServer = (): boolean => useState(!useScripted())[0]

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Fires the events of input that the user entered before hydration, when React's event handlers were not yet
 * attached. Without these events, React would replace the text of a controlled field with its state. Do not
 * use this hook for controls that save a change immediately, because browsers can also fill in fields when
 * the user reloads a page or goes back. Event handlers must update state with functions, because React
 * renders after the events of all fields.
 * @param mark an element that contains the fields, or a field
 */
export function useEarlyInput(mark: RefObject<HTMLElement | null>): void {
  const fromServer = useFromServer()
  useEffect(() => {
    if (!fromServer || !mark.current) return
    const within = mark.current.querySelectorAll<Field>('input, textarea, select')
    for (const field of mark.current.matches('input') ? [mark.current as Field] : within) replay(field)
  }, [mark, fromServer])
}

/**
 * Fires the events of a field whose value differs from the server's. React ignores an event if the value is
 * the last one that it set or read, so this function first sets the server's value through React's property,
 * and then the user's value through the browser's.
 */
function replay(field: Field): void {
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].find((option) => option.defaultSelected)
    if (first && !first.selected) field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (field.type === 'checkbox' || field.type === 'radio') {
    const box = field as HTMLInputElement
    if (box.checked === box.defaultChecked || (box.type === 'radio' && !box.checked)) return
    box.checked = box.defaultChecked
    box.click()
  } else if (field.type !== 'hidden' && field.type !== 'file' && field.value !== field.defaultValue) {
    const { value, selectionStart, selectionEnd } = field
    field.value = field.defaultValue
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
