import { isSecretField } from '@/lib/edges/web/forms/form-state'

/** The values of a form, by field name. */
export type FormValues = ReadonlyMap<string, readonly string[]>

/**
 * Returns the values that a form would send, without the fields that React adds. The value of a file field is
 * the file name.
 */
export function readFormValues(form: HTMLFormElement): FormValues {
  const held = new Map<string, string[]>()
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith('$ACTION')) continue
    held.set(name, [...(held.get(name) ?? []), typeof value === 'string' ? value : value.name])
  }
  return held
}

/**
 * Returns the values that a form from the server had before any input. Do not call this function for a form
 * that React rendered in the browser, where the options of a controlled `<select>` have no initial selection.
 */
export function readInitialFormValues(form: HTMLFormElement): FormValues {
  const copy = form.cloneNode(true) as HTMLFormElement
  copy.reset()
  return readFormValues(copy)
}

/** Counts the fields that differ between two states of a form. */
export function countChangedFields(before: FormValues, after: FormValues): number {
  const names = new Set([...before.keys(), ...after.keys()])
  const same = (name: string) => {
    const [one, other] = [before.get(name) ?? [], after.get(name) ?? []]
    return one.length === other.length && one.every((value, at) => value === other[at])
  }
  return [...names].filter((name) => !same(name)).length
}

/**
 * Sets the fields of a form to earlier values, except for hidden fields and file fields. Causes the same
 * events as user input, so that listeners run.
 */
export function restoreFormValues(form: HTMLFormElement, held: FormValues): void {
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

function type(field: HTMLInputElement | HTMLTextAreaElement, prototype: object, held: FormValues): void {
  const text = held.get(field.name)?.[0]
  if (!field.name || text === undefined || field.value === text) return
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Returns the session storage key for a form's input. The key consists of the page's path and the form's
 * position on the page.
 */
const inputKey = (form: HTMLFormElement) =>
  `lk-input ${location.pathname} ${[...document.forms].indexOf(form)}`

/**
 * Stores the input of a form, without secrets and the contents of files, for the next load of the page in
 * this tab.
 */
export function storeInput(form: HTMLFormElement): void {
  const held = [...readFormValues(form)].filter(([name]) => !isSecretField(name))
  sessionStorage.setItem(inputKey(form), JSON.stringify(held))
}

/** Restores the input that `storeInput` stored, if any, and deletes it from the storage. */
export function restoreStoredInput(form: HTMLFormElement): void {
  const key = inputKey(form)
  const kept = sessionStorage.getItem(key)
  if (!kept) return
  sessionStorage.removeItem(key)
  restoreFormValues(form, new Map(JSON.parse(kept) as [string, string[]][]))
}
