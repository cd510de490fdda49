/**
 * Signs in with a passkey. Bundled to /passkey.js. A form with `data-passkey="/path"` requests options from
 * that path, opens the browser's dialog, and sends the response in its field `response`. With
 * `data-passkey-autofill`, the browser also offers passkeys in a field with an `autocomplete` that ends in
 * `webauthn` (WebAuthn level 3, section 5.1.4, conditional mediation).
 */
import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

async function fetchOptions(form: HTMLFormElement): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const answer = await fetch(form.dataset.passkey as string, { method: 'POST' })
  const options = await answer.json()
  if (!answer.ok) throw new Error(options.error)
  return options
}

function send(form: HTMLFormElement, response: AuthenticationResponseJSON): void {
  const field = form.elements.namedItem('response') as HTMLInputElement
  field.value = JSON.stringify(response)
  form.submit()
}

/**
 * The time after which a new challenge is requested, in milliseconds. The server accepts a challenge for five
 * minutes.
 */
const freshMs = 4 * 60 * 1000

/**
 * The number of times that the page offered passkeys or started a sign-in. The browser handles one request at
 * a time, so `offer` compares the number to detect that a newer request has replaced its own.
 */
let latest = 0

/**
 * Waits, without a dialog, until the user selects a passkey in the field, and then submits the form. Requests
 * a new challenge before the current challenge expires or, if the page is in the background then, when the
 * user returns to it. Does nothing if the browser does not support passkeys in fields.
 * @throws if the options cannot be fetched, or if the browser's request fails or is aborted
 */
async function offer(form: HTMLFormElement): Promise<void> {
  const mine = ++latest
  if (!(await browserSupportsWebAuthnAutofill())) return
  const optionsJSON = await fetchOptions(form)
  if (latest !== mine) return
  const timer = setTimeout(() => {
    WebAuthnAbortService.cancelCeremony()
    whenSeen(() => latest === mine && tryOffer(form))
  }, freshMs)
  try {
    send(form, await startAuthentication({ optionsJSON, useBrowserAutofill: true }))
  } finally {
    clearTimeout(timer)
  }
}

/** Offers passkeys in the field. Ignores errors, because the page works without the offer. */
const tryOffer = (form: HTMLFormElement): void => void offer(form).catch(() => {})

/** Calls a function immediately or, if the page is in the background, when the user returns to it. */
function whenSeen(work: () => void): void {
  if (document.hidden) document.addEventListener('visibilitychange', work, { once: true })
  else work()
}

/**
 * Returns the page's text for an error or, if the page has none, the error's own message. If the user
 * refuses, the error has the same name as if the device has no matching passkey.
 */
function explain({ dataset }: HTMLFormElement, { name, message }: Error): string {
  const said: Record<string, string | undefined> = {
    NotAllowedError: dataset.passkeyUnused,
    SecurityError: dataset.passkeyAddress,
    NotSupportedError: dataset.passkeyUnknown,
  }
  return said[name] ?? message
}

async function signIn(form: HTMLFormElement): Promise<void> {
  latest++
  WebAuthnAbortService.cancelCeremony()
  if (!browserSupportsWebAuthn()) throw new DOMException('', 'NotSupportedError')
  send(form, await startAuthentication({ optionsJSON: await fetchOptions(form) }))
}

// Listen on the document, so that the order of script and markup does not matter.
document.addEventListener('submit', async (event) => {
  const form = event.target as HTMLFormElement
  if (!form.dataset.passkey) return
  event.preventDefault()
  const button = form.querySelector('button') as HTMLButtonElement
  const note = form.querySelector('[data-passkey-note]') as HTMLElement
  button.disabled = true
  note.hidden = true
  try {
    await signIn(form)
  } catch (error) {
    note.textContent = explain(form, error as Error)
    note.hidden = false
    button.disabled = false
    if ('passkeyAutofill' in form.dataset) tryOffer(form)
  }
})

for (const form of document.querySelectorAll<HTMLFormElement>('[data-passkey-autofill]')) tryOffer(form)
