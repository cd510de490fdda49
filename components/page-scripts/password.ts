/**
 * Handles the button that shows or hides the password on auth pages. Loads the strength meter (/strength.js,
 * which is large) when a field for a new password receives the focus. Bundled to /password.js.
 */
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-shows]')
  if (!button) return
  const field = document.getElementById(button.dataset.shows as string) as HTMLInputElement
  const show = field.type === 'password'
  field.type = show ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(show))
})

// Hide a shown password before submission, because password managers save only the values of password fields.
document.addEventListener('submit', () => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-shows][aria-pressed="true"]'))
    button.click()
})

let fetched = false
document.addEventListener('focusin', (event) => {
  if (fetched || !(event.target as Element).matches('[data-rated]')) return
  fetched = true
  const script = document.createElement('script')
  script.src = '/strength.js'
  document.head.append(script)
})
// If such a field received the focus before this script loaded, dispatch the event that the script missed.
if (document.activeElement?.matches('[data-rated]'))
  document.activeElement.dispatchEvent(new Event('focusin', { bubbles: true }))
