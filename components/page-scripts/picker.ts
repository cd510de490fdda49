/**
 * Adds search, "Select all", and the count to the pickers on the page of an authorized app. Without this
 * script, the pickers consist of plain checkboxes. Bundled to /picker.js. The script listens on the document,
 * so the order of script and markup does not matter.
 */
const optionsOf = (picker: Element) => [...picker.querySelectorAll<HTMLElement>('[data-picker-option]')]
const boxOf = (option: Element) => option.querySelector('input') as HTMLInputElement
const shown = (option: HTMLElement) => !option.hidden
/**
 * Returns whether a box can be checked. A workspace that does not allow the app is listed with a disabled
 * box.
 */
const open = (option: HTMLElement) => !boxOf(option).disabled

/** Returns the picker's element that has the data attribute `data-picker-` followed by the mark. */
const part = (picker: Element, mark: string) => picker.querySelector(`[data-picker-${mark}]`) as HTMLElement

/**
 * Changes an element's text only if the new text differs, because React expects the server's text when it
 * hydrates the page.
 */
function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

function settle(picker: Element): void {
  const options = optionsOf(picker).filter(open)
  const visible = options.filter(shown)
  const checked = options.filter((option) => boxOf(option).checked).length
  write(part(picker, 'count'), `${checked} of ${options.length} selected`)
  const all = visible.length > 0 && visible.every((option) => boxOf(option).checked)
  const button = part(picker, 'all') as HTMLButtonElement
  write(button, all ? 'Clear all' : 'Select all')
  button.disabled = visible.length === 0
}

function search(picker: Element, text: string): void {
  const words = text.trim().toLowerCase().split(/\s+/)
  for (const option of optionsOf(picker)) {
    const heading = option.closest('[data-picker-group]')?.firstElementChild?.textContent ?? ''
    const said = `${option.querySelector('label')?.textContent} ${heading}`.toLowerCase()
    option.hidden = !words.every((word) => said.includes(word))
  }
  for (const group of picker.querySelectorAll<HTMLElement>('[data-picker-group]'))
    group.hidden = !optionsOf(group).some(shown)
  part(picker, 'none').hidden = optionsOf(picker).some(shown)
}

document.addEventListener('input', (event) => {
  const field = event.target as HTMLInputElement
  const picker = field.closest('[data-picker]')
  if (!picker) return
  if (field.matches('[data-picker-search]')) search(picker, field.value)
  settle(picker)
})

document.addEventListener('click', (event) => {
  const picker = (event.target as Element).closest('[data-picker-all]')?.closest('[data-picker]')
  if (!picker) return
  const visible = optionsOf(picker).filter(open).filter(shown)
  const clear = visible.every((option) => boxOf(option).checked)
  for (const option of visible) boxOf(option).checked = !clear
  settle(picker)
})

// Ignore Enter in a search field. It would submit the form, and a search must not change the app's access.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.target as Element).matches('[data-picker-search]'))
    event.preventDefault()
})

// Filter the options and update the count and the button when the page is shown again. After the back button,
// the browser can restore a search text, and checked boxes that the server rendered as unchecked.
window.addEventListener('pageshow', () => {
  for (const picker of document.querySelectorAll('[data-picker]')) {
    const field = picker.querySelector<HTMLInputElement>('[data-picker-search]')
    if (field?.value) search(picker, field.value)
    settle(picker)
  }
})
