// Signing in by passkey: a form with `data-passkey="/path"` gets options there, asks the browser, and sends the answer
// in its field `response`. Listens on the document, so it does not matter when the markup arrives. With
// `data-passkey-autofill` the browser also offers passkeys among what it fills in for a field whose `autocomplete` says
// `webauthn` (WebAuthn level 3, section 5.1.4, conditional mediation).
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

async function fetchOptions(path) {
  const answer = await fetch(path, { method: 'POST' })
  const options = await answer.json()
  if (!answer.ok) throw new Error(options.error)
  return {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((known) => ({ ...known, id: toBytes(known.id) })),
  }
}

/** Has the form carry the browser's answer to us. `how` goes to the browser beside the options. */
async function use(form, how) {
  if (!window.PublicKeyCredential) throw new Error('This browser does not know passkeys. Use another way.')
  const publicKey = await fetchOptions(form.dataset.passkey)
  const { id, rawId, type, response } = await navigator.credentials.get({ publicKey, ...how })
  form.elements.response.value = JSON.stringify({
    id,
    rawId: toText(rawId),
    type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: response.userHandle ? toText(response.userHandle) : null,
    },
    clientExtensionResults: {},
  })
  form.submit()
}

// A browser takes one request at a time, and a challenge is taken back for five minutes only.
const freshMs = 4 * 60 * 1000
let offered

/** Waits, without any dialogue, for a passkey to be chosen in the field. Whatever goes wrong: the page works without. */
async function offer(form) {
  if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return
  offered?.abort()
  const mine = new AbortController()
  offered = mine
  const timer = setTimeout(() => {
    mine.abort()
    whenSeen(() => offered === mine && offer(form))
  }, freshMs)
  await use(form, { mediation: 'conditional', signal: mine.signal }).catch(() => clearTimeout(timer))
}

/** A page in the background needs no fresh challenge. */
const whenSeen = (work) =>
  document.hidden ? document.addEventListener('visibilitychange', work, { once: true }) : work()

/** What the browser says in code, in words; it does not tell a refusal from a device without a fitting passkey. */
function explain(error) {
  if (error.name === 'NotAllowedError') return 'The passkey was not used. Try again, or use another way.'
  if (error.name === 'SecurityError') return 'Passkeys do not work at this address. Use another way.'
  return error.message
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!form.dataset.passkey) return
  event.preventDefault()
  const button = form.querySelector('button')
  const note = form.querySelector('[data-passkey-note]')
  button.disabled = true
  note.hidden = true
  offered?.abort()
  offered = undefined
  try {
    await use(form)
  } catch (error) {
    note.textContent = explain(error)
    note.hidden = false
    button.disabled = false
    if ('passkeyAutofill' in form.dataset) offer(form)
  }
})

for (const form of document.querySelectorAll('[data-passkey-autofill]')) offer(form)
