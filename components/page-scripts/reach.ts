/**
 * Enhances the selection of workspaces and projects on the consent and device pages. Without this script, the
 * selection consists of plain checkboxes. The script adds a search, a filter for selected entries, a count,
 * "Select all", and arrow keys for long lists. It also updates the summary next to the decision, and disables
 * the projects that a selected workspace covers. Bundled to /reach.js. The page contains all text that the
 * script shows.
 */
const box = (option: Element) => option.querySelector('input') as HTMLInputElement
const all = (within: Element) => [...within.querySelectorAll<HTMLElement>('[data-option]')]
const visible = (option: HTMLElement) =>
  !option.hidden && !(option.closest('[data-branch]') as HTMLElement).hidden
const name = (option: Element) => option.querySelector('label')?.textContent ?? ''
const number = new Intl.NumberFormat(document.documentElement.lang)
const part = <E extends HTMLElement>(picker: Element, mark: string) =>
  picker.querySelector<E>(`[data-reach-${mark}]`)

/**
 * Boxes that are disabled because the workspace does not allow the app. They stay disabled. Boxes that a
 * checked workspace covers are disabled only while the workspace is checked.
 */
const closed = new Set(document.querySelectorAll<HTMLInputElement>('[data-reach] .tick[disabled]'))
/**
 * For each project's box, whether it was checked before the workspace was checked. This state is restored
 * when the workspace is unchecked.
 */
const own = new Map<HTMLInputElement, boolean>()

function cover(picker: HTMLElement): void {
  if (!picker.querySelector('[data-covers]')) return
  for (const branch of picker.querySelectorAll('[data-branch]')) {
    const workspace = branch.querySelector<HTMLInputElement>('.head > input')
    if (!workspace) continue
    const projects = [...branch.querySelectorAll<HTMLInputElement>('.project > input')].filter(
      (one) => !closed.has(one),
    )
    for (const project of projects) {
      const covered = project.disabled
      if (workspace.checked && !covered) own.set(project, project.checked)
      project.checked = workspace.checked || (covered ? (own.get(project) ?? false) : project.checked)
      project.disabled = workspace.checked
    }
    workspace.indeterminate = !workspace.checked && projects.some((project) => project.checked)
  }
}

/** Replaces the first `#` in a text with the first number, the next `#` with the second number, and so on. */
const fill = (text: string, values: number[]) =>
  values.reduce((said, value) => said.replace('#', number.format(value)), text)

function settle(picker: HTMLElement): void {
  cover(picker)
  const { count = '', all: selectAll = '', clear = '', more = '' } = picker.dataset
  const options = all(picker).filter((option) => !closed.has(box(option)))
  // Projects that a checked workspace covers are not counted, because the user did not check them.
  const chosen = options.filter((option) => box(option).checked && !box(option).disabled)
  write(part(picker, 'count'), fill(count, [chosen.length]))
  const shown = options.filter(visible)
  const button = part<HTMLButtonElement>(picker, 'all')
  write(button, shown.length > 0 && shown.every((option) => box(option).checked) ? clear : selectAll)
  if (button) {
    button.disabled = shown.length === 0
    delete button.dataset.asked
  }
  const names = chosen.map(name)
  const listed = names.length > 4 ? [...names.slice(0, 3), fill(more, [names.length - 3])] : names
  const sum = document.querySelector<HTMLElement>('[data-reach-sum]')
  const list = new Intl.ListFormat(document.documentElement.lang)
  write(sum, listed.length > 0 ? list.format(listed) : (sum?.dataset.none ?? ''))
  rove(picker)
}

function write(element: Element | null, text: string): void {
  if (element && element.textContent !== text) element.textContent = text
}

/**
 * The timer that shows and announces the message that nothing matches. It waits for a pause in typing,
 * because a screen reader drops an announcement when the next key is pressed.
 */
let telling: ReturnType<typeof setTimeout> | undefined

function narrow(picker: HTMLElement): void {
  const words = (part<HTMLInputElement>(picker, 'search')?.value ?? '').trim().toLowerCase().split(/\s+/)
  const chosenAlone = part(picker, 'chosen')?.getAttribute('aria-pressed') === 'true'
  for (const branch of picker.querySelectorAll<HTMLElement>('[data-branch]')) {
    const heading = branch.dataset.branch ?? ''
    for (const option of all(branch)) {
      const said = `${name(option)} ${heading}`.toLowerCase()
      option.hidden = !words.every((word) => said.includes(word)) || (chosenAlone && !box(option).checked)
    }
    branch.hidden = all(branch).every((option) => option.hidden)
  }
  const none = part(picker, 'none')
  clearTimeout(telling)
  if (none && all(picker).some(visible)) none.hidden = true
  else if (none)
    telling = setTimeout(() => {
      none.hidden = false
    }, 500)
}

/**
 * Makes one box of a long list its only tab stop: `to`, or else the current tab stop if it is still
 * available, or else the first available box (ARIA Authoring Practices, roving tabindex). Does nothing for a
 * short list.
 */
function rove(picker: HTMLElement, to?: HTMLInputElement): void {
  if (!('many' in picker.dataset)) return
  const boxes = all(picker)
    .filter(visible)
    .map(box)
    .filter((one) => !one.disabled)
  const stop = to ?? boxes.find((one) => one.tabIndex === 0 && one.dataset.stop !== undefined) ?? boxes[0]
  for (const option of all(picker)) {
    const one = box(option)
    one.tabIndex = one === stop ? 0 : -1
    if (one === stop) one.dataset.stop = ''
    else delete one.dataset.stop
  }
}

function step(picker: HTMLElement, from: HTMLInputElement, key: string): HTMLInputElement | undefined {
  const boxes = all(picker)
    .filter(visible)
    .map(box)
    .filter((one) => !one.disabled)
  const at = boxes.indexOf(from)
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(at + 10, boxes.length - 1),
    PageUp: Math.max(at - 10, 0),
    Home: 0,
    End: boxes.length - 1,
  }
  return boxes[places[key] ?? -1]
}

const pickerOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-reach]')

document.addEventListener('input', (event) => {
  const picker = pickerOf(event)
  if (!picker) return
  if ((event.target as Element).matches('[data-reach-search]')) narrow(picker)
  settle(picker)
})

document.addEventListener('click', (event) => {
  const picker = pickerOf(event)
  const button = (event.target as Element).closest<HTMLElement>('[data-reach-all], [data-reach-chosen]')
  if (!picker || !button) return
  if (button.matches('[data-reach-chosen]')) {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'))
    narrow(picker)
  } else {
    const shown = all(picker).filter(visible).map(box)
    const open = shown.filter((one) => !closed.has(one))
    const clear = open.every((one) => one.checked)
    const { confirm } = picker.dataset
    if (confirm && !clear && button.dataset.asked === undefined) {
      button.dataset.asked = ''
      write(button, fill(confirm, [open.length]))
      return
    }
    for (const one of open) if (clear || !one.disabled) one.checked = !clear
    if (clear) own.clear()
  }
  settle(picker)
})

// If the "Select all" button asks for confirmation and loses the focus, it shows its original text again.
document.addEventListener('focusout', (event) => {
  const picker = pickerOf(event)
  if (picker && (event.target as HTMLElement).dataset.asked !== undefined) settle(picker)
})

document.addEventListener('keydown', (event) => {
  const picker = pickerOf(event)
  const field = event.target as HTMLInputElement
  if (!picker || !field.matches('input')) return
  // Ignore Enter in the search field and on a box. It would submit the form, and neither a search nor a
  // selection must authorize the app.
  if (event.key === 'Enter' && field.matches('[data-reach-search], .tick')) event.preventDefault()
  const into = field.matches('[data-reach-search]') && event.key === 'ArrowDown'
  if (!into && !(field.matches('.tick') && 'many' in picker.dataset)) return
  const next = into ? picker.querySelector<HTMLInputElement>('[data-stop]') : step(picker, field, event.key)
  if (!next) return
  event.preventDefault()
  rove(picker, next)
  next.focus()
})

// Update the pickers when the page is shown again. After the back button, the browser can restore checked
// boxes that the server rendered as unchecked.
window.addEventListener('pageshow', () => {
  for (const picker of document.querySelectorAll<HTMLElement>('[data-reach]')) {
    narrow(picker)
    settle(picker)
  }
})
