/**
 * Rates a new password while the user types, with the same library and dictionary as the server
 * (lib/features/identity/users/password-strength.ts). Bundled to /strength.js, which loads only when a field
 * for a new password receives the focus.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 64 })
const shortest = 10
/**
 * The numbers of guesses from which a password is fair, good, or strong. The server rejects passwords that
 * withstand fewer guesses than the first number.
 */
const steps = [1e6, 1e8, 1e10]

/**
 * Returns the strength from 0 to 4: 0 for a password that is too short, 1 for any other password that
 * withstands too few guesses for the server, and 2 to 4 for a fair, good, or strong password.
 */
function rate(field: HTMLInputElement): number {
  if (field.value.length < shortest) return 0
  const typed = (name: string) =>
    (field.form?.elements.namedItem(name) as HTMLInputElement | null)?.value ?? ''
  const known = [typed('name'), typed('email'), typed('username')].flatMap((text) => [
    text,
    ...text.split(/[^\p{L}\p{N}]+/u),
  ])
  const { guesses } = estimator.check(
    field.value,
    known.filter((word) => word.length > 2),
  )
  return 1 + steps.filter((step) => guesses >= step).length
}

function show(field: HTMLInputElement): void {
  const rating = field.closest('div')?.parentElement?.querySelector<HTMLElement>('[data-rating]')
  const words = rating?.querySelector<HTMLElement>('[data-words]')
  if (!rating || !words) return
  const step = field.value === '' ? undefined : rate(field)
  rating.dataset.rating = step === undefined ? '' : String(Math.max(step, 1))
  const said = (step !== undefined && words.dataset.words?.split('|')[step]) || ''
  if (words.textContent !== said) words.textContent = said
}

document.addEventListener('input', (event) => {
  const field = event.target as HTMLInputElement
  if (field.matches('[data-rated]')) show(field)
})
for (const field of document.querySelectorAll<HTMLInputElement>('[data-rated]')) show(field)
