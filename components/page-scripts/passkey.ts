/**
 * Signing in by passkey, bundled to /passkey.js: a form with `data-passkey="/path"` gets options there, asks the browser,
 * and sends the answer in its field `response`. With `data-passkey-autofill` the browser also offers passkeys among what it
 * fills in for a field whose `autocomplete` ends in `webauthn` (WebAuthn level 3, section 5.1.4, conditional mediation).
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

/** A challenge is taken back for five minutes only. */
const freshMs = 4 * 60 * 1000

/** Counts the requests made of the browser, which takes one at a time: who waited can tell whether theirs still counts. */
let latest = 0

/** Waits, without any dialogue, for a passkey to be chosen in the field. @throws where the browser cannot, or was told to stop */
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

/** Whatever goes wrong with an offer: the page works without. */
const tryOffer = (form: HTMLFormElement): void => void offer(form).catch(() => {})

/** A page in the background needs no fresh challenge. */
function whenSeen(work: () => void): void {
  if (document.hidden) document.addEventListener('visibilitychange', work, { once: true })
  else work()
}

/** What the browser says in code, in the words of the page; it does not tell a refusal from a device without a fitting passkey. */
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

// On the document, so that it does not matter when the markup arrives.
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
