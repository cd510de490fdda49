/**
 * Password fields of the auth pages: shows the password on a button, and loads the strength meter for a new one (/strength.js, which is
 * large) once its field has the focus. Bundled to /password.js.
 */
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-shows]')
  if (!button) return
  const field = document.getElementById(button.dataset.shows as string) as HTMLInputElement
  const show = field.type === 'password'
  field.type = show ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(show))
})

// A password manager keeps, and a browser offers again, what is sent from a field of passwords alone.
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
// The field may have had the focus before this script came.
if (document.activeElement?.matches('[data-rated]'))
  document.activeElement.dispatchEvent(new Event('focusin', { bubbles: true }))
