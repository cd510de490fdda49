/**
 * Shows validation messages below fields, in the product's style instead of the browser's bubble. The first
 * invalid field receives the focus. Bundled to /missing.js. The script element's `data-missing` and
 * `data-choose` contain the messages for missing values in the language of the page. Without this script, the
 * browser shows its own bubble.
 */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const text = document.currentScript?.dataset ?? {}

/** The classes and the icon of FieldError in components/ui/field.tsx. */
const look = 'flex gap-1.5 text-[13px] text-danger leading-[18px]'
const icon = `<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"
stroke-linecap="round" stroke-linejoin="round" class="mt-0.5 size-3.5 shrink-0"><circle cx="12" cy="12" r="10"/><path
d="M12 8v4M12 16h.01"/></svg><span class="min-w-0"></span>`

/** The visible message of each control or, for radio buttons, of each group. */
const shown = new WeakMap<Element, HTMLElement>()
let count = 0

const isChoice = (control: Control) => control.type === 'radio' || control.type === 'checkbox'
const holderOf = (control: Control): Element =>
  (control.type === 'radio' && control.closest('fieldset')) || control

function messageOf(control: Control): string {
  if (!control.validity.valueMissing) return control.title || control.validationMessage
  return (isChoice(control) || control instanceof HTMLSelectElement ? text.choose : text.missing) ?? ''
}

/** Inserts the message below the control or, for a radio button in a fieldset, at the end of the fieldset. */
function place(control: Control, message: HTMLElement): void {
  const holder = holderOf(control)
  if (holder !== control) {
    holder.append(message)
    return
  }
  const label = control.labels?.[0]
  let below: Element = control
  while (label && below.parentElement && !below.parentElement.contains(label)) below = below.parentElement
  if (isChoice(control) && below.parentElement) below = below.parentElement
  below.after(message)
}

function show(control: Control): void {
  const holder = holderOf(control)
  const message = shown.get(holder) ?? document.createElement('p')
  if (!message.isConnected) {
    message.className = look
    message.id = `missing-${++count}`
    message.innerHTML = icon
    place(control, message)
    shown.set(holder, message)
  }
  const words = message.querySelector('span') as HTMLElement
  words.textContent = messageOf(control)
  control.setAttribute('aria-invalid', 'true')
  const ids = new Set((control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean))
  control.setAttribute('aria-describedby', [...ids.add(message.id)].join(' '))
}

function clear(control: Control): void {
  const message = shown.get(holderOf(control))
  if (!message || !control.validity.valid) return
  shown.delete(holderOf(control))
  message.remove()
  for (const each of document.querySelectorAll(`[aria-describedby~="${message.id}"]`)) {
    each.removeAttribute('aria-invalid')
    const others =
      each
        .getAttribute('aria-describedby')
        ?.split(' ')
        .filter((id) => id !== message.id) ?? []
    if (others.length > 0) each.setAttribute('aria-describedby', others.join(' '))
    else each.removeAttribute('aria-describedby')
  }
}

let focused = false
document.addEventListener(
  'invalid',
  (event) => {
    const control = event.target as Control
    event.preventDefault()
    show(control)
    if (focused) return
    // Only the first invalid field receives the focus. The browser reports a form's invalid fields in order
    // and in one task, so the flag is reset after that task.
    focused = true
    setTimeout(() => {
      focused = false
    })
    const fold = control.closest('details')
    if (fold) fold.open = true
    control.focus()
  },
  true,
)
for (const kind of ['input', 'change'])
  document.addEventListener(kind, (event) => {
    if ((event.target as Partial<Control>).validity) clear(event.target as Control)
  })
