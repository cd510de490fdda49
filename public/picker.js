// Search, "Select all" and the count of the pickers on the consent page, which work without this file as plain
// checkboxes. Listens on the document, so it does not matter when the markup arrives.
const optionsOf = (picker) => [...picker.querySelectorAll('[data-picker-option]')]
const boxOf = (option) => option.querySelector('input')
const shown = (option) => !option.hidden

// Where React runs as well it finds the text that the server wrote, unless there is something new to say.
function write(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function settle(picker) {
  const options = optionsOf(picker)
  const visible = options.filter(shown)
  const checked = options.filter((option) => boxOf(option).checked).length
  write(picker.querySelector('[data-picker-count]'), `${checked} of ${options.length} selected`)
  const all = visible.length > 0 && visible.every((option) => boxOf(option).checked)
  const button = picker.querySelector('[data-picker-all]')
  write(button, all ? 'Clear all' : 'Select all')
  button.disabled = visible.length === 0
}

function search(picker, text) {
  const words = text.trim().toLowerCase().split(/\s+/)
  for (const option of optionsOf(picker)) {
    const heading = option.closest('[data-picker-group]')?.firstElementChild?.textContent ?? ''
    const said = `${option.querySelector('label').textContent} ${heading}`.toLowerCase()
    option.hidden = !words.every((word) => said.includes(word))
  }
  for (const group of picker.querySelectorAll('[data-picker-group]'))
    group.hidden = !optionsOf(group).some(shown)
  picker.querySelector('[data-picker-none]').hidden = optionsOf(picker).some(shown)
}

document.addEventListener('input', ({ target }) => {
  const picker = target.closest('[data-picker]')
  if (!picker) return
  if (target.matches('[data-picker-search]')) search(picker, target.value)
  settle(picker)
})

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-picker-all]')
  if (!button) return
  const picker = button.closest('[data-picker]')
  const visible = optionsOf(picker).filter(shown)
  const clear = visible.every((option) => boxOf(option).checked)
  for (const option of visible) boxOf(option).checked = !clear
  settle(picker)
})

// Enter in a search field would send the whole form: looking for a name must not authorize anything.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('[data-picker-search]')) event.preventDefault()
})

// Going back brings ticks with it that the server did not write.
window.addEventListener('pageshow', () => document.querySelectorAll('[data-picker]').forEach(settle))
