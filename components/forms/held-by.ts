/** What a form holds, by the name of its fields. */
export type Held = ReadonlyMap<string, readonly string[]>

/** What a form would send, without what React adds. */
export function heldBy(form: HTMLFormElement): Held {
  const held = new Map<string, string[]>()
  for (const [name, value] of new FormData(form)) {
    if (name.startsWith('$ACTION')) continue
    held.set(name, [...(held.get(name) ?? []), typeof value === 'string' ? value : value.name])
  }
  return held
}

/** How many fields differ between two moments of a form. */
export function changesBetween(before: Held, after: Held): number {
  const names = new Set([...before.keys(), ...after.keys()])
  const same = (name: string) => {
    const [one, other] = [before.get(name) ?? [], after.get(name) ?? []]
    return one.length === other.length && one.every((value, at) => value === other[at])
  }
  return [...names].filter((name) => !same(name)).length
}

/** Puts into a form what it held once, the way a person would: whoever listens to a field hears of it. */
export function putBack(form: HTMLFormElement, held: Held): void {
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
